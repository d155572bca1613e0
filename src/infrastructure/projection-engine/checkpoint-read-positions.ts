import { Injectable } from '@nestjs/common';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStore, EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { ReadPositions } from '../../application/kernel/read-positions.port.js';
import { INDEX_FOLLOWER, WRITTEN_WITH_EVENTS } from '../../projections/read-models.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { Progress } from './progress.js';

/** How often to read checkpoints that another process moves. */
const LOOK_MS = 40;

/**
 * Waits for a follower of this process if it runs here, and otherwise for its checkpoint in the database. All waiting
 * callers share one query.
 */
@Injectable()
export class CheckpointReadPositions extends ReadPositions {
  private look: Promise<ReadonlyMap<string, bigint>> | null = null;

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: EventStore,
    private readonly progress: Progress,
  ) {
    super();
  }

  current(projection: string): Promise<bigint> {
    return this.stored(projection);
  }

  async waitFor(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
    const until = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const { count } = this.progress.changed;
      if ((this.progress.of(projection) ?? -1n) >= position) return true;
      if (await this.hasStored(projection, position)) return true;
      if (until.aborted) return false;
      await this.progress.changed.past(count, until, LOOK_MS);
    }
  }

  /** Like `waitFor`, but throws an error with the projection and its position. */
  async caughtUpTo(projection: string, position: bigint, timeoutMs: number): Promise<void> {
    if (await this.waitFor(projection, position, timeoutMs)) return;
    const stored = await this.stored(projection);
    throw new Error(
      `Expected '${projection}' to reach position ${position} within ${timeoutMs} ms, but it stands at ${stored}`,
    );
  }

  /** If the database is unavailable for a while, the caller keeps waiting. */
  private async hasStored(projection: string, position: bigint): Promise<boolean> {
    try {
      return (await this.stored(projection)) >= position;
    } catch (error) {
      if (error instanceof EventStoreUnavailable || isConnectionError(error)) return false;
      throw error;
    }
  }

  private async stored(projection: string): Promise<bigint> {
    this.look ??= this.readCheckpoints().finally(() => (this.look = null));
    const checkpoints = await this.look;
    if (!WRITTEN_WITH_EVENTS.includes(projection)) return checkpoints.get(projection) ?? 0n;
    return checkpoints.get(INDEX_FOLLOWER) ?? this.store.head();
  }

  private async readCheckpoints(): Promise<ReadonlyMap<string, bigint>> {
    const { rows } = await this.pool.query<{ name: string; position: string }>(
      `select name, position from projection_checkpoints where slot = 'live'`,
    );
    return new Map(rows.map(({ name, position }) => [name, BigInt(position)]));
  }
}
