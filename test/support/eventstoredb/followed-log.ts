import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../../src/application/kernel/log-segment.js';
import { EventStoreDbLog } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { TransactionLog } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { IndexConsumer } from '../../../src/infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexMender } from '../../../src/infrastructure/eventstoredb/reservations/index-mender.js';
import { LogComparison } from '../../../src/infrastructure/eventstoredb/reservations/log-comparison.js';
import { BUILD } from '../../../src/bootstrap/functions.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { openCheckpoint } from '../../../src/infrastructure/projection-engine/checkpoint.js';
import { createTestDatabase } from '../test-database.js';
import { ProcessClock } from './open-log.js';

/** The tables of the index that its events give, without what belongs to the time at which they were applied. */
const TABLES: Readonly<Record<string, string>> = {
  queues: 'to_jsonb(t)',
  tasks: 'to_jsonb(t)',
  waiting: 'to_jsonb(t)',
  ready: 'to_jsonb(t)',
  leases: `to_jsonb(t) - 'deadline' - 'secret'`,
  key_slots: 'to_jsonb(t)',
  key_failures: 'to_jsonb(t)',
  prerequisites: 'to_jsonb(t)',
  consequences: 'to_jsonb(t)',
  batches: 'to_jsonb(t)',
  triggers: 'to_jsonb(t)',
  holds: 'to_jsonb(t)',
  resources: 'to_jsonb(t)',
  system: 'to_jsonb(t)',
  open_histories: 'to_jsonb(t)',
};

const CLEARED = [
  ...Object.keys(TABLES),
  'quarantined',
  'events_put_aside',
  'projection_checkpoints',
  'log_gaps',
  'log_comparisons',
  'claims',
];

/** A log in memory. */
export class LogInMemory extends EventStoreDbLog {
  constructor(readonly events: readonly RecordedEvent[]) {
    super({ url: 'esdb://127.0.0.1:1?tls=false', clock: new ProcessClock() });
  }

  override readStream(stream: string, from: number, most?: number): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.events.filter((one) => one.stream === stream && one.revision >= from).slice(0, most));
  }

  override readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return Promise.all(streams.map((stream) => this.readStream(stream, 0)));
  }

  override readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.events.filter(({ position }) => position > after).slice(0, limit));
  }

  override readAtOnce({ transaction }: RecordedEvent): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.events.filter((one) => one.transaction?.id === transaction!.id));
  }

  override readAllAnew(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return this.readAll(after, limit);
  }
}

export interface FollowedLog {
  readonly pool: PostgresPool;
  /** Follows a log from its beginning, of which it gets only what is delivered, and compares at its end. Returns the index. */
  follow(events: readonly RecordedEvent[], delivered: readonly RecordedEvent[]): Promise<Index>;
  /** As `follow`, and compares before anything is appended that rests on what is skipped. */
  followLive(events: readonly RecordedEvent[], skipped: readonly RecordedEvent[]): Promise<Index>;
  close(): Promise<void>;
}

export interface Index {
  readonly tables: Readonly<Record<string, readonly object[]>>;
  /** How often it found that events were missing, or came twice. */
  readonly gaps: { readonly skipped?: number; readonly doubled?: number };
  readonly aside: number;
}

/** How many events the follower gets at a time. */
const PAGE = 5;

/** The follower of the index, with a log in memory and a database of its own. */
export async function openFollowedLog(): Promise<FollowedLog> {
  const { url, drop } = await createTestDatabase();
  const pool = new PostgresPool({ url, size: 4, functions: BUILD.schema });
  const close = async (): Promise<void> => {
    await pool.end();
    await drop();
  };
  return {
    pool,
    follow: (events, delivered) => follow(pool, events, [{ events: delivered, end: events.at(-1)!.position }]),
    followLive: (events, skipped) => {
      const at = events.indexOf(skipped[0]!);
      const [before, after] = [events.slice(0, at), events.slice(at + skipped.length)];
      return follow(pool, events, [
        { events: before, end: skipped.at(-1)!.position },
        { events: after, end: events.at(-1)!.position },
      ]);
    },
    close,
  };
}

/** What the follower gets, and the position that it has passed then. */
interface Delivery {
  readonly events: readonly RecordedEvent[];
  readonly end: bigint;
}

async function follow(
  pool: PostgresPool,
  events: readonly RecordedEvent[],
  deliveries: readonly Delivery[],
): Promise<Index> {
  await pool.query(`truncate ${CLEARED.join(', ')}`);
  const log = new LogInMemory(events);
  const [wakeUps, transactions] = [new LocalWakeUps(), new TransactionLog(log)];
  const consumer = new IndexConsumer(pool, wakeUps, transactions, log);
  const comparison = new LogComparison(pool, log, new IndexMender(pool, log, transactions, wakeUps));
  await comparison.look();
  let checkpoint = await openCheckpoint(pool, consumer.name, consumer.version);
  await consumer.upgrade();
  for (const { events: delivered, end } of deliveries) {
    for (const page of pagesOf(delivered)) checkpoint = await consumer.consume(segmentsOf(page), checkpoint);
    await pool.query('update projection_checkpoints set position = $1', [end]);
    checkpoint = { ...checkpoint, position: end };
    while (await comparison.look());
  }
  await log.close();
  return indexIn(pool);
}

/** Never parts an append. */
function* pagesOf(events: readonly RecordedEvent[]): Generator<readonly RecordedEvent[]> {
  let page: RecordedEvent[] = [];
  for (const event of events) {
    page.push(event);
    if (page.length < PAGE || event.more) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function indexIn(pool: PostgresPool): Promise<Index> {
  const tables: Record<string, readonly object[]> = {};
  for (const [table, shown] of Object.entries(TABLES)) {
    const { rows } = await pool.query(`select ${shown} as row from ${table} t order by 1`);
    tables[table] = rows.map(({ row }) => row as object);
  }
  const { rows } = await pool.query(`select coalesce(jsonb_object_agg(kind, gaps), '{}') as gaps,
    (select count(*)::int from quarantined) + (select count(*)::int from events_put_aside) as aside from log_gaps`);
  return { tables, ...(rows[0] as Pick<Index, 'gaps' | 'aside'>) };
}
