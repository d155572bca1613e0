import { differingRow } from '@waybill/client/words';
import { externalLog, indexedLog } from '../infrastructure/eventstoredb/reservations/loaded-log.js';
import { REACTION_NAMES } from '../application/reactions/reactions.js';
import type { EventStore } from '../application/kernel/event-store.port.js';
import type { Config } from '../bootstrap/config.js';
import { openDatabase } from '../bootstrap/database.js';
import { BUILD } from '../bootstrap/functions.js';
import { type ExternalEventStore, openEventStore, openToIndex } from '../bootstrap/event-store.js';
import { LOG_HERE } from '../infrastructure/dispatch-index/rebuild/loaded-segments.js';
import { IndexCheck } from '../infrastructure/dispatch-index/index-check.js';
import { IndexRebuild } from '../infrastructure/dispatch-index/index-rebuild.js';
import { IndexProgress } from '../infrastructure/eventstoredb/reservations/index-progress.js';
import { ReservedTransactions } from '../infrastructure/eventstoredb/reservations/reserved-transactions.js';
import { Reservations } from '../infrastructure/eventstoredb/reservations/reservations.js';
import { EventStoreDbEventStore } from '../infrastructure/eventstoredb/eventstoredb-event-store.js';
import { PostgresLogMarks } from '../infrastructure/eventstoredb/log/postgres-log-marks.js';
import { TransactionLog } from '../infrastructure/eventstoredb/log/transaction-log.js';
import { halvesBy } from '../infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import { EventStoreDbLog } from '../infrastructure/eventstoredb/log/eventstoredb-log.js';
import { PostgresEventStore } from '../infrastructure/postgres-event-store/postgres-event-store.js';
import { LocalWakeUps } from '../infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import { lineageOf } from '../infrastructure/lineage/lineage-model.js';
import { Leaders } from '../infrastructure/leadership/leaders.js';
import type { Model } from '../infrastructure/projection-engine/model.js';
import type { DifferingRow, RebuildProgress } from '../application/rebuilds/model-rebuilds.port.js';
import { Rebuild } from '../infrastructure/projection-engine/rebuild.js';
import { failureRulesOf } from '../bootstrap/failure-rules.js';
import { groupBy } from '../projections/kernel/grouping.js';
import { BUILT_ANEW, followedBy } from '../projections/read-models.js';
import { StartupError } from '../bootstrap/startup-error.js';

const INDEX = 'index';
const ALL = 'all';
/** The name under which tasks are told that stand in the index where their rows do not put them. */
const STANDING = 'index';
const NAMES = [INDEX, ...BUILT_ANEW];

export interface ReadLogOptions {
  readonly config: Config;
  /** Receives messages for people. */
  readonly log: (line: string) => void;
  /** Receives a line for every page of events. */
  readonly onProgress: (line: string) => void;
  /** Receives a line for each part, once it is in use, and for each difference. */
  readonly onBuilt: (line: string) => void;
}

export interface RebuildFromLogOptions extends ReadLogOptions {
  /** The names of what to rebuild. `all`, given alone, means everything. */
  readonly names: readonly string[];
}

/**
 * Rebuilds from the log the dispatch index (with the rows of tasks and queues) and read models, all read models in one
 * pass. Throws, and changes nothing, if a name is unknown.
 */
export async function rebuildFromLog({ names: given, ...options }: RebuildFromLogOptions): Promise<void> {
  const names = namesOf(given);
  const projections = followedBy(groupBy(failureRulesOf(options.config.failureRules)));
  const modelsOf = (store: EventStore) => [...projections, lineageOf(store)].filter(({ name }) => names.includes(name));
  await withStores(options, names.includes(INDEX) ? openToIndex : openEventStore, async (pool, other) => {
    if (names.includes(INDEX)) await rebuildIndex(pool, other, options);
    if (names.some((name) => name !== INDEX)) await rebuildModels(pool, modelsOf, other, options);
  });
}

/** Compares the dispatch index with the log, without a lock, and changes nothing. Returns how many rows differ. */
export const checkIndexFromLog = (options: ReadLogOptions): Promise<number> =>
  withStores(options, openEventStore, (pool, other) => checkIndex(pool, other, options));

async function withStores<T>(
  { config, log }: ReadLogOptions,
  open: typeof openEventStore,
  work: (pool: PostgresPool, other: ExternalEventStore | null) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir, migrationMs, eventStoreUrl, eventStorePrefix, subjectKeyFile } = config;
  const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log });
  const pool = new PostgresPool({ url: database.url, size: 4, functions: BUILD.schema });
  try {
    const events = { eventStoreUrl, eventStorePrefix, subjectKeyFile };
    return await work(pool, await open({ ...events, databaseUrl: database.url, log }));
  } finally {
    await pool.end();
    await database.close();
  }
}

function namesOf(given: readonly string[]): readonly string[] {
  if (given.length === 1 && given[0] === ALL) return NAMES;
  const unknown = given.find((name) => !NAMES.includes(name));
  if (given.length > 0 && unknown === undefined) return given;
  throw new StartupError(
    `Expected names of what to rebuild (${NAMES.join(', ')}, or ${ALL}), but got '${unknown ?? 'nothing'}'.`,
  );
}

type Say = Pick<ReadLogOptions, 'onProgress' | 'onBuilt'>;

async function rebuildIndex(
  pool: PostgresPool,
  other: ExternalEventStore | null,
  { onProgress, onBuilt }: Say,
): Promise<void> {
  const elsewhere = other && openLog(pool, other);
  const from = elsewhere ? externalLog({ id: other!.id, log: elsewhere, reactions: REACTION_NAMES }) : LOG_HERE;
  try {
    const tasks = await new IndexRebuild(pool, from).run((progress) => onProgress(`${progress.tasks} tasks`));
    onBuilt(`Rebuilt the dispatch index: ${tasks} tasks`);
  } finally {
    await elsewhere?.close();
  }
}

async function checkIndex(
  pool: PostgresPool,
  other: ExternalEventStore | null,
  { onProgress, onBuilt }: Say,
): Promise<number> {
  const elsewhere = other && openLog(pool, other);
  try {
    const check = new IndexCheck(pool, elsewhere ? indexedLog(elsewhere) : LOG_HERE);
    const { rows, first } = await check.run((progress) => onProgress(`${progress.tasks} tasks`));
    for (const line of [`The index differs from the log in ${rows} rows`, ...rowLines(rows, first)]) onBuilt(line);
    return rows;
  } finally {
    await elsewhere?.close();
  }
}

const LIST = new Intl.ListFormat('en-GB');

async function rebuildModels(
  pool: PostgresPool,
  modelsOf: (store: EventStore) => readonly Model[],
  other: ExternalEventStore | null,
  { onProgress, onBuilt }: Say,
): Promise<void> {
  const leaders = new Leaders(pool);
  const { store, close } = openStore(pool, other);
  const models = modelsOf(store);
  const lineOf = ({ position, head }: RebuildProgress): string => `${position} of ${head} events`;
  try {
    await new Rebuild(store, pool, leaders).run(models, { onProgress: (progress) => onProgress(lineOf(progress)) });
    onBuilt(`Rebuilt ${LIST.format(models.map(({ name }) => `'${name}'`))}`);
  } finally {
    await close();
    await leaders.close();
  }
}

function rowLines(rows: number, first: readonly DifferingRow[]): readonly string[] {
  const more = rows > first.length ? [`… and ${rows - first.length} more`] : [];
  const lines = first.map((row) =>
    row.table === STANDING
      ? `  ${row.table} ${JSON.stringify(row.key)}: ${String(row.live?.['says'])}`
      : `  ${differingRow(row)}`,
  );
  return [...lines, ...more];
}

const openLog = (pool: PostgresPool, other: ExternalEventStore): EventStoreDbLog =>
  new EventStoreDbLog({
    ...other,
    clock: new DatabaseClock(pool),
    marks: new PostgresLogMarks(pool),
    halves: halvesBy(pool, other.masterKeys),
  });

/** The store is only read from. */
function openStore(
  pool: PostgresPool,
  other: ExternalEventStore | null,
): { store: EventStore; close: () => Promise<void> } {
  if (!other) return { store: new PostgresEventStore(pool, new LocalWakeUps()), close: () => Promise.resolve() };
  const log = openLog(pool, other);
  const index = new IndexProgress(pool, new Progress(), new LocalWakeUps());
  const reservations = new Reservations(pool);
  const asOne = new ReservedTransactions(log, new TransactionLog(log), reservations, index);
  return { store: new EventStoreDbEventStore(log, reservations, index, asOne, pool), close: () => log.close() };
}
