import { Logger } from '@nestjs/common';
import type { EventStore } from '../../application/kernel/event-store.port.js';
import { lagsAt, NOW_MS } from '../../projections/kernel/lag.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { Loop } from './loop.js';

const LOOK_MS = 10_000;
/**
 * A follower that keeps up stays below this lag even under full load. Above it, the follower is too slow, or nobody
 * runs it.
 */
const HIGH_SECONDS = 30;

interface FollowerCheckpoint {
  readonly name: string;
  readonly position: string;
  readonly nowMs: number;
}

/** Logs which followers are far behind, for as long as they are. A stopped follower has already reported itself. */
export class LagWatch {
  private readonly logger = new Logger('Lag');
  private readonly loop = new Loop('watch the lag', () => this.look());

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: EventStore,
    private readonly highSeconds = HIGH_SECONDS,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async look(): Promise<number> {
    const { rows } = await this.pool.query<FollowerCheckpoint>(
      `select name, position, ${NOW_MS} as "nowMs" from projection_checkpoints
       where slot = 'live' and status = 'running' order by name`,
    );
    if (rows.length > 0) await this.tell(rows);
    return LOOK_MS;
  }

  private async tell(rows: readonly FollowerCheckpoint[]): Promise<void> {
    const end = { head: await this.store.head(), nowMs: rows[0]!.nowMs };
    const positions = rows.map(({ position }) => BigInt(position));
    const lags = await lagsAt(this.store, positions, end);
    for (const [at, { name }] of rows.entries()) {
      const { lagSeconds, lagEvents } = lags.get(positions[at]!)!;
      const events = lagEvents === null ? '' : ` (${lagEvents} events)`;
      if (lagSeconds > this.highSeconds) this.logger.warn(`'${name}' is ${Math.round(lagSeconds)} s behind${events}`);
    }
  }
}
