import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { FollowerCounts } from './follower-counts.js';
import type { IndexMender } from './index-mender.js';
import { isIndexed, streamsBehind } from './index-revisions.js';

/** Six short reads a minute see every event of a log that grows by 100 a second; those of a faster one they see later. */
const EVERY_MS = 10_000;
const EVENTS = 1_000;

/**
 * Reads again what the index has passed, a little at a time, and compares. It finds what nothing else shows: the last event of
 * a stream, if the append had no reservation or a crash of Postgres took it, and what only other followers did not get.
 */
export class LogComparison {
  private lookedAt = -EVERY_MS;
  private readonly counts: FollowerCounts;

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<EventStoreDbLog, 'readAllAnew'>,
    private readonly mender: IndexMender,
  ) {
    this.counts = new FollowerCounts(pool, log);
  }

  async lookWhenDue(): Promise<void> {
    const now = performance.now();
    if (now - this.lookedAt < EVERY_MS) return;
    this.lookedAt = now;
    await this.look();
  }

  /** Compares the next events. Returns whether there may be more. */
  async look(): Promise<boolean> {
    const reached = await this.mender.reached();
    const { position: after, events } = await this.place(reached);
    await this.counts.note(after);
    const read = after < reached ? await this.log.readAllAnew(after, EVENTS) : [];
    const passed = read.filter(({ position }) => position <= reached);
    const isWhole = passed.length < read.length || read.length === 0;
    const upTo = isWhole ? reached : passed.at(-1)!.position;
    await this.compareIndex(passed);
    await this.counts.compare({ after, events, positions: passed.map(({ position }) => position), upTo });
    if (upTo > after) await this.pool.query(MOVE, [INDEX_FOLLOWER, upTo, events + passed.length]);
    return !isWhole;
  }

  private async compareIndex(passed: readonly RecordedEvent[]): Promise<void> {
    const newest = new Map(passed.filter(({ stream }) => isIndexed(stream)).map((one) => [one.stream, one.revision]));
    const behind = newest.size > 0 ? await streamsBehind(this.pool, newest) : [];
    if (behind.length > 0) await this.mender.mend(behind);
  }

  /** Up to where the log was read again, and how many events. In a database that has not compared anything yet, the comparison begins here. */
  private async place(reached: bigint): Promise<{ readonly position: bigint; readonly events: number }> {
    const { rows } = await this.pool.query<{ position: string; events: string }>(
      'select position, events from log_comparisons where follower = $1',
      [INDEX_FOLLOWER],
    );
    if (rows[0]) return { position: BigInt(rows[0].position), events: Number(rows[0].events) };
    await this.pool.query(MOVE, [INDEX_FOLLOWER, reached, 0]);
    return { position: reached, events: 0 };
  }
}

const MOVE = `
  insert into log_comparisons (follower, position, events) values ($1, $2, $3)
  on conflict (follower) do update set position = excluded.position, events = excluded.events`;
