import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { IndexMender } from './index-mender.js';
import { isIndexed, streamsBehind } from './index-revisions.js';

/** Six short reads a minute see every event of a log that grows by 100 a second; those of a faster one they see later. */
const EVERY_MS = 10_000;
const EVENTS = 1_000;

/**
 * Reads again what the index has passed, a little at a time, and compares. It finds what nothing else shows: the last event of
 * a stream, if the append had no reservation or a crash of Postgres took it.
 */
export class LogComparison {
  private lookedAt = -EVERY_MS;

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<EventStoreDbLog, 'readAllAnew'>,
    private readonly mender: IndexMender,
  ) {}

  async lookWhenDue(): Promise<void> {
    const now = performance.now();
    if (now - this.lookedAt < EVERY_MS) return;
    this.lookedAt = now;
    await this.look();
  }

  /** Compares the next events. Returns whether there may be more. */
  async look(): Promise<boolean> {
    const reached = await this.mender.reached();
    const after = await this.positionBy(reached);
    if (after >= reached) return false;
    const read = await this.log.readAllAnew(after, EVENTS);
    const passed = read.filter(({ position }) => position <= reached);
    const newest = new Map(passed.filter(({ stream }) => isIndexed(stream)).map((one) => [one.stream, one.revision]));
    const behind = newest.size > 0 ? await streamsBehind(this.pool, newest) : [];
    if (behind.length > 0) await this.mender.mend(behind);
    const isWhole = passed.length < read.length || read.length === 0;
    await this.pool.query(MOVE, [INDEX_FOLLOWER, isWhole ? reached : passed.at(-1)!.position]);
    return !isWhole;
  }

  /** In a database that has not compared anything yet, the comparison begins here. */
  private async positionBy(reached: bigint): Promise<bigint> {
    const { rows } = await this.pool.query<{ position: string }>(
      'select position from log_comparisons where follower = $1',
      [INDEX_FOLLOWER],
    );
    if (rows[0]) return BigInt(rows[0].position);
    await this.pool.query(MOVE, [INDEX_FOLLOWER, reached]);
    return reached;
  }
}

const MOVE = `
  insert into log_comparisons (follower, position) values ($1, $2)
  on conflict (follower) do update set position = excluded.position`;
