import { pause } from '../../projection-engine/backoff.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import { LOG_LOCK } from '../../database/locks.js';
import { NO_END, segmentsQuery } from '../../postgres-event-store/event-rows.js';
import { headsOf, type SegmentRow } from '../../postgres-event-store/stored-segment.js';
import { segmentTexts } from '../../event-codec/segment-text.js';
import { streamKey } from '../../database/stream-key.js';
import type { CopyOrigin } from './copy-events.js';
import { CopyRefused } from './copy-refused.js';
import type { StoredEvent } from '../log/stored-event.js';

/** `pg_stat_activity` lists a connection for a moment after it was closed. */
const PATIENCE_MS = 3_000;
const LOOK_MS = 100;

/** The event store may take long for what it is given. */
const STANDS_STILL = 'set local idle_in_transaction_session_timeout = 0';

/** Prefix of the id in `event_store` that marks a database whose events have moved. No service starts on it. */
export const MOVED = 'moved to ';

/** The events in Postgres. Holds the log lock, so nobody appends while the source is open. */
export class CopySource implements CopyOrigin {
  private constructor(private readonly connection: PostgresConnection) {}

  /** Rejects with `CopyRefused` if a service still uses the database, or left work in it unfinished. */
  static async open(pool: PostgresPool, reactions: readonly string[]): Promise<CopySource> {
    const source = new CopySource(await pool.connect());
    try {
      await source.waitForOthersToEnd();
      await source.connection.query(`begin; ${STANDS_STILL}; select pg_advisory_xact_lock(${LOG_LOCK})`);
      await source.refuseUnfinished(reactions);
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  async count(): Promise<number> {
    return Number(await this.one('select coalesce(sum(n), 0) as value from segments'));
  }

  async page(after: bigint, limit: number): Promise<StoredEvent[]> {
    const { rows } = await this.connection.query(segmentsQuery({ after, upTo: NO_END }, limit, {}));
    return (rows as SegmentRow[]).flatMap((row) => storedEvents(row, after));
  }

  async find({
    stream,
    revision,
    id,
  }: StoredEvent): Promise<{ readonly position: bigint; readonly count: number } | null> {
    const { rows } = await this.connection.query(
      `select e.position, (select sum(least(s.n, e.position - s.position + 1)) from segments s where s.position <= e.position) as count
       from (select position + array_position(ids, $3) - 1 as position, streams, revisions, array_position(ids, $3) as at
         from segments where ids @> array[$3::uuid]) e
       where e.streams[e.at] = $1 and coalesce(e.revisions[least(e.at, cardinality(e.revisions))], 0) = $2`,
      [streamKey(stream).id, revision, id],
    );
    const [row] = rows as { position: string; count: string }[];
    return row ? { position: BigInt(row.position), count: Number(row.count) } : null;
  }

  /** With `movedTo`, marks the database as moved, so that no service writes to it again. */
  async close(movedTo?: string): Promise<void> {
    if (movedTo !== undefined) {
      await this.connection.query('insert into event_store (id) values ($1) on conflict do nothing', [MOVED + movedTo]);
      await this.connection.query('commit');
    }
    // The transaction, and its lock, end with the connection.
    this.connection.release(new Error('the copy has ended'));
  }

  private async waitForOthersToEnd(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (Number(await this.one(OTHERS)) > 0) {
      if (performance.now() > until) {
        throw new CopyRefused('no Waybill service to use the database', 'one does; stop all of them first');
      }
      await pause(LOOK_MS, new AbortController().signal);
    }
  }

  private async refuseUnfinished(reactions: readonly string[]): Promise<void> {
    const left = Number(await this.one(OUTBOX));
    if (left > 0) {
      throw new CopyRefused('an empty outbox', `${left} tasks are in it; let a service with the role relay run first`);
    }
    const behind = await this.one(BEHIND, [reactions]);
    if (behind !== undefined) {
      throw new CopyRefused(
        'every reaction to have seen the whole log',
        `'${String(behind)}' has not; let a service with the role reactor run first`,
      );
    }
    const aside = await this.one(ASIDE);
    if (aside !== undefined) {
      throw new CopyRefused(
        'every reaction to have dealt with every event',
        `'${String(aside)}' has put some aside, because positions change; GET /v1/system says why`,
      );
    }
  }

  private async one(text: string, values: unknown[] = []): Promise<unknown> {
    const { rows } = await this.connection.query(text, values);
    return (rows[0] as { value: unknown } | undefined)?.value;
  }
}

const OTHERS = `select count(*) as value from pg_stat_activity
  where datname = current_database() and application_name like 'waybill%' and pid <> pg_backend_pid()`;

const OUTBOX = 'select count(*) as value from waybill_outbox where refusal is null';

const BEHIND = `select name as value from projection_checkpoints
  where slot = 'live' and name = any($1) and position < (select coalesce(max(position + n - 1), 0) from segments) limit 1`;

const ASIDE = 'select follower as value from events_put_aside limit 1';

function storedEvents(row: SegmentRow, after: bigint): StoredEvent[] {
  const { type, version } = row;
  const texts = segmentTexts(row.shared, row.data, row.private).map(row.private === null ? asStored : once);
  const events = headsOf(row).map((head, at) => ({ ...head, type, version, data: texts[at]! }));
  return events.filter(({ position }) => position > after);
}

const asStored = (text: string): string => text;

/** Each member once. Two halves may both have one of an error, of which JSON reads the later. */
const once = (text: string): string => JSON.stringify(JSON.parse(text));
