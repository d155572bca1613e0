import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { type Transaction, TransactionLog } from '../log/transaction-log.js';
import { streamKey } from '../../database/stream-key.js';
import { isMarked } from './open-history.js';
import { CREATE_LOGGED_EVENTS, type LoadedEvents, type RebuildLog } from '../../dispatch-index/rebuild-log.js';
import type { PostgresConnection } from '../../database/postgres-pool.js';

/** The event store and the followers of its log. */
export interface LogSource {
  /** The store's id. The database records it to know from which store its index was built. */
  readonly id: string;
  readonly log: EventStoreDbLog;
  /**
   * The reactions that follow the log. In a database that is new to the store, their checkpoints begin at the log's
   * end.
   */
  readonly reactions: readonly string[];
}

const PAGE = 5_000;

/** The log for a rebuild of the index from this store's events. */
export const externalLog = (from: LogSource): RebuildLog => ({
  open: (connection) => LoadedLog.open(connection, from),
});

/**
 * A log from another store, loaded into a temporary table. The table takes the place of the database's own log until
 * the transaction ends.
 */
export class LoadedLog implements LoadedEvents {
  private constructor(
    private readonly connection: PostgresConnection,
    private readonly from: LogSource,
    private readonly transactions = new TransactionLog(from.log),
    private position = 0n,
  ) {}

  /** Creates the empty table. Call it within a transaction. */
  static async open(connection: PostgresConnection, from: LogSource): Promise<LoadedLog> {
    await connection.query(CREATE_LOGGED_EVENTS);
    return new LoadedLog(connection, from);
  }

  /** Loads the rest of the log. Afterwards every transaction in it is stored whole. */
  async load(): Promise<void> {
    for (;;) {
      const events = await this.from.log.readAll(this.position, PAGE);
      if (events.length === 0) break;
      await this.connection.query(INSERT, [JSON.stringify(events.map(rowOf))]);
      this.position = events.at(-1)!.position;
      await this.completeTransactions(events);
    }
    await this.connection.query('analyze pg_temp.logged_events');
  }

  /**
   * A process that stopped while it stored a transaction left a part of it, and the database whose reservations named
   * the rest may be lost. What is missing of a transaction that continues beyond these
   * events is appended, which is harmless because its events have fixed ids.
   */
  private async completeTransactions(events: readonly RecordedEvent[]): Promise<void> {
    const begun = events.flatMap(({ transaction, more }) =>
      transaction?.item === 0 && !more && !transaction.atOnce ? transaction.id : [],
    );
    for (let ids = begun; ids.length > 0;) {
      const found = await this.transactions.findFirst(ids);
      for (const transaction of await this.lacking(found)) await this.transactions.finish(transaction);
      ids = ids.slice(found.length);
    }
  }

  /** The transactions whose last event is not loaded. A transaction is stored in order, so these are incomplete. */
  private async lacking(transactions: readonly Transaction[]): Promise<readonly Transaction[]> {
    const last = transactions.map(({ items }) => items.at(-1)!);
    const streams = last.map(({ stream }) => streamKey(stream).id);
    const revisions = last.map(({ expected, events }) => expected + events.length);
    const { rows } = await this.connection.query(LACKING, [streams, revisions]);
    return rows.map(({ at }) => transactions[Number(at) - 1]!);
  }

  /**
   * Ends the reservations of the loaded events, because the follower will not meet those events again. Call it under
   * the log lock.
   */
  async endReservations(): Promise<void> {
    await this.connection.query(END_RESERVATIONS);
  }

  /** Keeps the histories of open tasks, and records that the index is built up to the log's end, from this store, and lacks nothing. */
  async settle(): Promise<void> {
    const { id, reactions } = this.from;
    await this.connection.query(KEEP_HISTORIES);
    await this.connection.query('insert into event_store (id) values ($1) on conflict do nothing', [id]);
    await this.connection.query('delete from events_put_aside where follower = $1', [INDEX_FOLLOWER]);
    await this.connection.query(SET_CHECKPOINT, [INDEX_FOLLOWER, this.position.toString()]);
    await this.connection.query(NEW_CHECKPOINTS, [reactions, this.position.toString()]);
  }
}

/** The log up to where the index stands, for a look at the index that changes nothing. */
export const indexedLog = (log: EventStoreDbLog): RebuildLog => ({
  async open(connection) {
    await connection.query(CREATE_LOGGED_EVENTS);
    const { rows } = await connection.query(INDEXED, [INDEX_FOLLOWER]);
    const upTo = BigInt((rows as { position: string }[])[0]?.position ?? 0);
    const nothing = (): Promise<void> => Promise.resolve();
    return { load: () => loadUpTo(connection, log, upTo), endReservations: nothing, settle: nothing };
  },
});

async function loadUpTo(connection: PostgresConnection, log: EventStoreDbLog, end: bigint): Promise<void> {
  for (let position = 0n; position < end;) {
    const events = await log.readAll(position, PAGE);
    const within = events.filter((event) => event.position <= end);
    if (within.length > 0) await connection.query(INSERT, [JSON.stringify(within.map(rowOf))]);
    if (within.length < events.length || events.length === 0) break;
    position = events.at(-1)!.position;
  }
  await connection.query('analyze pg_temp.logged_events');
}

const INDEXED = `select position from projection_checkpoints where name = $1 and slot = 'live'`;

/** In the form of `historyText`. */
const KEEP_HISTORIES = `
  insert into open_histories (task_id, revision, events)
  select t.task_id, t.revision, string_agg(format('{"type":%s,"version":%s,"recordedAt":%s,"data":%s%s%s}', to_json(e.type), e.version,
      to_json(to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), e.data,
      coalesce(',"traceparent":' || to_json(waybill_trace_in(e.meta))::text, ''),
      case when e.meta::json->'for' is not null then format(',"position":"%s","for":%s', e.position, e.meta::json->'for') else '' end), E'\\n' order by e.revision)
  from tasks t join pg_temp.logged_events e on e.stream = t.task_id
  where t.state in ('prepared', 'pending', 'held', 'running', 'undecided', 'failed') group by t.task_id`;

const INSERT =
  'insert into pg_temp.logged_events select * from jsonb_populate_recordset(null::pg_temp.logged_events, $1)';

const LACKING = `
  select l.at from unnest($1::uuid[], $2::int[]) with ordinality as l(stream, revision, at)
  where not exists (select from pg_temp.logged_events e where e.stream = l.stream and e.revision = l.revision)`;

const END_RESERVATIONS = `
  with ended as (delete from reservations r using pg_temp.logged_events e where e.id = r.id returning r.idempotency, e.position)
  select waybill_take_key(idempotency, position) from ended where idempotency is not null`;

const SET_CHECKPOINT = `
  insert into projection_checkpoints (name, slot, version, position, status) values ($1, 'live', 1, $2, 'running')
  on conflict (name, slot) do update set position = excluded.position, status = 'running', stopped_at = null, error = null,
    updated_at = now()`;

const NEW_CHECKPOINTS = `
  insert into projection_checkpoints (name, slot, version, position, status)
  select name, 'live', 1, $2, 'running' from unnest($1::text[]) as n(name) on conflict do nothing`;

function rowOf({
  position,
  stream,
  revision,
  id,
  recordedAt,
  event,
  envelope,
}: RecordedEvent): Readonly<Record<string, unknown>> {
  const { id: streamId, category } = streamKey(stream);
  return {
    position: position.toString(),
    stream: streamId,
    revision,
    category,
    type: event.type,
    version: event.version,
    id,
    recorded_at: recordedAt,
    data: JSON.stringify(event.data),
    // What is left of it, for the histories at hand.
    meta: JSON.stringify({
      ...(isMarked(event.type) && { for: envelope.correlationId }),
      ...(revision === 0 && envelope.traceparent !== undefined && { traceparent: envelope.traceparent }),
    }),
  };
}
