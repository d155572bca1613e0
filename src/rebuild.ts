import { REACTION_NAMES } from './application/reactions/reactions.js';
import type { EventStore } from './application/kernel/event-store.port.js';
import { readConfig } from './config.js';
import { openDatabase } from './database.js';
import { type OtherStore, openEventStore, openToIndex } from './event-store.js';
import { IndexRebuild } from './infrastructure/dispatch/index-rebuild.js';
import { IndexWatch } from './infrastructure/dispatch/reserved/index-watch.js';
import { ReservedTransactions } from './infrastructure/dispatch/reserved/reserved-transactions.js';
import { Reservations } from './infrastructure/dispatch/reserved/reservations.js';
import { EventStoreDbEventStore } from './infrastructure/event-store/eventstoredb/eventstoredb-event-store.js';
import { TransactionLog } from './infrastructure/event-store/eventstoredb/transaction-log.js';
import { EventStoreDbLog } from './infrastructure/event-store/eventstoredb/eventstoredb-log.js';
import { PostgresEventStore } from './infrastructure/event-store/postgres/postgres-event-store.js';
import { LocalWakeUps } from './infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from './infrastructure/persistence/postgres-pool.js';
import { DatabaseClock } from './infrastructure/persistence/database-clock.js';
import { Progress } from './infrastructure/projection-engine/progress.js';
import { AdvisoryLocks } from './infrastructure/projection-engine/advisory-locks.js';
import { Rebuild } from './infrastructure/projection-engine/rebuild.js';
import { FOLLOWED } from './projections/read-models.js';

const INDEX = 'index';
const NAMES = [INDEX, ...FOLLOWED.map(({ name }) => name)];

/** `node dist/rebuild.js NAME`: makes the dispatch index (with the rows of tasks and queues) or a read model anew from the log. */
async function main(name: string | undefined): Promise<void> {
  if (name === undefined || !NAMES.includes(name)) {
    throw new Error(`Expected the name of what to rebuild (${NAMES.join(', ')}), but got '${name ?? 'nothing'}'`);
  }
  const { databaseUrl, dataDir, eventStoreUrl, eventStorePrefix } = readConfig(process.env);
  const log = console.error;
  const database = await openDatabase({ databaseUrl, dataDir, log });
  const pool = new PostgresPool({ url: database.url, size: 4 });
  try {
    const open = name === INDEX ? openToIndex : openEventStore;
    const other = await open({ eventStoreUrl, eventStorePrefix, databaseUrl: database.url, log });
    if (name === INDEX) await rebuildIndex(pool, other);
    else await rebuildModel(pool, name, other);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function rebuildIndex(pool: PostgresPool, other: OtherStore | null): Promise<void> {
  const log = other && new EventStoreDbLog({ ...other, clock: new DatabaseClock(pool) });
  const rebuild = new IndexRebuild(pool, log && { id: other!.id, log, reactions: REACTION_NAMES });
  try {
    const tasks = await rebuild.run((progress) => console.error(`${progress.tasks} tasks`));
    console.log(`Rebuilt the dispatch index: ${tasks} tasks`);
  } finally {
    await log?.close();
  }
}

async function rebuildModel(pool: PostgresPool, name: string, other: OtherStore | null): Promise<void> {
  const locks = new AdvisoryLocks(pool);
  const { store, close } = openStore(pool, other);
  const projection = FOLLOWED.find((one) => one.name === name)!;
  const onProgress = ({ position, head }: { position: bigint; head: bigint }): void =>
    console.error(`${position} of ${head} events`);
  try {
    await new Rebuild(store, pool, locks).run(projection, { onProgress });
    console.log(`Rebuilt '${name}'`);
  } finally {
    await close();
    await locks.close();
  }
}

/** Only read from. */
function openStore(pool: PostgresPool, other: OtherStore | null): { store: EventStore; close: () => Promise<void> } {
  if (!other) return { store: new PostgresEventStore(pool, new LocalWakeUps()), close: () => Promise.resolve() };
  const log = new EventStoreDbLog({ ...other, clock: new DatabaseClock(pool) });
  const index = new IndexWatch(pool, new Progress(), new LocalWakeUps());
  const reservations = new Reservations(pool);
  const asOne = new ReservedTransactions(log, new TransactionLog(log), reservations, index);
  return { store: new EventStoreDbEventStore(log, reservations, index, asOne), close: () => log.close() };
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
