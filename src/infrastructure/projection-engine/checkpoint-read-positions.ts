import { Injectable } from '@nestjs/common';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStore, EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { ReadPositions } from '../../application/kernel/read-positions.port.js';
import { SharedCall } from '../../application/kernel/shared-call.js';
import { AGGREGATE_MODELS } from '../../projections/kernel/aggregate-models.js';
import { INDEX_FOLLOWER } from '../../projections/read-models.js';
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
  /** However many find nothing at once, they cost the log one look. */
  private readonly head = new SharedCall(() => this.store.head());

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

  override isWithEvents(projection: string): boolean {
    return this.followerOf(projection) === null;
  }

  async waitFor(projection: string, position: bigint, timeoutMs: number): Promise<bigint | null> {
    const until = AbortSignal.timeout(timeoutMs);
    const follower = this.followerOf(projection);
    for (;;) {
      const { count } = this.progress.changed;
      const reached = follower === null ? undefined : this.progress.of(follower);
      if (reached !== undefined && reached >= position) return reached;
      const stored = await this.storedIfKnown(projection);
      if (stored !== null && stored >= position) return stored;
      if (until.aborted) return null;
      await this.progress.changed.past(count, until, LOOK_MS);
    }
  }

  async lackedAt(projection: string, asOf: bigint): Promise<bigint | null> {
    if (this.followerOf(projection) === null) return null;
    const head = await this.head.ask();
    return head > asOf ? head : null;
  }

  /** Like `waitFor`, but throws an error with the projection and its position. */
  async caughtUpTo(projection: string, position: bigint, timeoutMs: number): Promise<void> {
    if ((await this.waitFor(projection, position, timeoutMs)) !== null) return;
    const stored = await this.stored(projection);
    throw new Error(
      `Expected '${projection}' to reach position ${position} within ${timeoutMs} ms, but it stands at ${stored}`,
    );
  }

  /** Null if the database is unavailable: the caller keeps waiting. */
  private async storedIfKnown(projection: string): Promise<bigint | null> {
    try {
      return await this.stored(projection);
    } catch (error) {
      if (error instanceof EventStoreUnavailable || isConnectionError(error)) return null;
      throw error;
    }
  }

  private async stored(projection: string): Promise<bigint> {
    const follower = this.followerOf(projection);
    if (follower === null) return this.store.head();
    this.look ??= this.readCheckpoints().finally(() => (this.look = null));
    return (await this.look).get(follower) ?? 0n;
  }

  /** The follower that writes the model; null if it is written with the events. */
  private followerOf(projection: string): string | null {
    if (!WITH_EVENTS.has(projection)) return projection;
    return this.store.isIndexFollowing ? INDEX_FOLLOWER : null;
  }

  private async readCheckpoints(): Promise<ReadonlyMap<string, bigint>> {
    const { rows } = await this.pool.query<{ name: string; position: string }>(
      `select name, position from projection_checkpoints where slot = 'live'`,
    );
    return new Map(rows.map(({ name, position }) => [name, BigInt(position)]));
  }
}

/** The models whose rows the append itself writes, so they are as new as the log. */
const WITH_EVENTS: ReadonlySet<string> = new Set(AGGREGATE_MODELS);
