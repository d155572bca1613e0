import { isConnectionError } from '../../../application/kernel/connection-errors.js';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { Progress } from '../../projection-engine/progress.js';

/** Looks this often at a checkpoint that another process moves, because a notification may be lost. */
const LOOK_MS = 200;
/**
 * An append that waits for another one tries again this often. The other may have been given up, and no notification
 * tells of that.
 */
const TRY_MS = 20;

/** How far the dispatch index has followed the log. */
export class IndexProgress {
  private look: Promise<bigint> | null = null;
  /** The newest position that a look has found. */
  private seen = -1n;

  constructor(
    private readonly pool: PostgresPool,
    private readonly progress: Progress,
    wakeUps: WakeUps,
    private readonly lookMs = LOOK_MS,
  ) {
    wakeUps.onLogAdvanced(() => progress.changed.emit());
  }

  /** Whether the index has applied the position, now or within `timeoutMs`. */
  async reached(position: bigint, timeoutMs: number): Promise<boolean> {
    const until = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const { count } = this.progress.changed;
      const known = this.progress.of(INDEX_FOLLOWER);
      if ((known ?? (await this.stored())) >= position) return true;
      if (until.aborted) return false;
      await this.progress.changed.past(count, until, known === undefined ? this.lookMs : undefined);
    }
  }

  /** Whether the index is known to have applied the position, without a look. */
  isKnownAt(position: bigint): boolean {
    return (this.progress.of(INDEX_FOLLOWER) ?? this.seen) >= position;
  }

  /** Resolves when the index has moved on, or after a short time. */
  async moved(): Promise<void> {
    await this.progress.changed.past(this.progress.changed.count, AbortSignal.timeout(TRY_MS));
  }

  /** All who wait share one query. If the database does not answer, they go on waiting. */
  private stored(): Promise<bigint> {
    this.look ??= this.read().finally(() => (this.look = null));
    return this.look;
  }

  private async read(): Promise<bigint> {
    try {
      const { rows } = await this.pool.query<{ position: string }>({
        name: 'waybill_index_position',
        text: `select position from projection_checkpoints where name = $1 and slot = 'live'`,
        values: [INDEX_FOLLOWER],
      });
      return (this.seen = BigInt(rows[0]?.position ?? -1));
    } catch (error) {
      if (isConnectionError(error)) return -1n;
      throw error;
    }
  }
}
