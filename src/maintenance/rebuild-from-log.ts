import { sameContent } from '../domain/kernel/json.js';
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
import { EventStoreDbLog } from '../infrastructure/eventstoredb/log/eventstoredb-log.js';
import { PostgresEventStore } from '../infrastructure/postgres-event-store/postgres-event-store.js';
import { LocalWakeUps } from '../infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import { lineageOf } from '../infrastructure/lineage/lineage-model.js';
import { Leaders } from '../infrastructure/leadership/leaders.js';
import type { Model } from '../infrastructure/projection-engine/model.js';
import { Rebuild, type RebuildOptions, type RebuildProgress } from '../infrastructure/projection-engine/rebuild.js';
import type { RebuildDiff } from '../infrastructure/projection-engine/rebuild-diff.js';
import { failureRulesOf } from '../bootstrap/failure-rules.js';
import { groupBy } from '../projections/failure-groups/grouping.js';
import { BUILT_ANEW, followedBy } from '../projections/read-models.js';
import { StartupError } from '../bootstrap/startup-error.js';

const INDEX = 'index';
const ALL = 'all';
/** The name under which tasks are told that stand in the index where their rows do not put them. */
const STANDING = 'index';
const NAMES = [INDEX, ...BUILT_ANEW];

/**
 * What becomes of rebuilt read models. `replace`: they take the place of those in use. `diff`: they are compared with these, and
 * dropped. `switch`: those in use are kept for a day. `back`: those are taken again.
 */
export type RebuildMode = 'replace' | 'diff' | 'switch' | 'back';

export interface RebuildFromLogOptions {
  readonly config: Config;
  readonly mode?: RebuildMode;
  /** The names of what to rebuild. `all`, given alone, means everything. */
  readonly names: readonly string[];
  /** Receives messages for people. */
  readonly log: (line: string) => void;
  /** Receives a line for every page of events. */
  readonly onProgress: (line: string) => void;
  /** Receives a line for each part, once it is in use. */
  readonly onBuilt: (line: string) => void;
}

/**
 * Rebuilds from the log the dispatch index (with the rows of tasks and queues) and read models, all read models in one
 * pass. Returns how many rows differ from the log, with `diff`. Throws, and changes nothing, if a name is unknown.
 */
export async function rebuildFromLog(options: RebuildFromLogOptions): Promise<number> {
  const { config, names: given, mode = 'replace', log, ...say } = options;
  const names = namesOf(given, mode);
  const { databaseUrl, dataDir, migrationMs, eventStoreUrl, eventStorePrefix } = config;
  const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log });
  const pool = new PostgresPool({ url: database.url, size: 4, functions: BUILD.schema });
  try {
    const open = names.includes(INDEX) && mode === 'replace' ? openToIndex : openEventStore;
    const other = await open({ eventStoreUrl, eventStorePrefix, databaseUrl: database.url, log });
    let differing = 0;
    if (names.includes(INDEX) && mode === 'diff') differing += await checkIndex(pool, other, say);
    else if (names.includes(INDEX)) await rebuildIndex(pool, other, say);
    const projections = followedBy(groupBy(failureRulesOf(config.failureRules)));
    const modelsOf = (store: EventStore) =>
      [...projections, lineageOf(store)].filter(({ name }) => names.includes(name));
    if (names.some((name) => name !== INDEX)) differing += await rebuildModels(pool, { modelsOf, mode }, other, say);
    return differing;
  } finally {
    await pool.end();
    await database.close();
  }
}

function namesOf(given: readonly string[], mode: RebuildMode): readonly string[] {
  if ((mode === 'switch' || mode === 'back') && given.some((name) => name === INDEX || name === ALL))
    throw new StartupError(`Expected names of read models with --${mode}, but got '${given.join("', '")}'.`);
  if (given.length === 1 && given[0] === ALL) return NAMES;
  const unknown = given.find((name) => !NAMES.includes(name));
  if (given.length > 0 && unknown === undefined) return given;
  throw new StartupError(
    `Expected names of what to rebuild (${NAMES.join(', ')}, or ${ALL}), but got '${unknown ?? 'nothing'}'.`,
  );
}

type Say = Pick<RebuildFromLogOptions, 'onProgress' | 'onBuilt'>;

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

/** Looks at the index without a lock, and changes nothing. */
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
  { modelsOf, mode }: { readonly modelsOf: (store: EventStore) => readonly Model[]; readonly mode: RebuildMode },
  other: ExternalEventStore | null,
  { onProgress, onBuilt }: Say,
): Promise<number> {
  const leaders = new Leaders(pool);
  const { store, close } = openStore(pool, other);
  const models = modelsOf(store);
  const lineOf = ({ position, head }: RebuildProgress): string => `${position} of ${head} events`;
  try {
    const rebuild = new Rebuild(store, pool, leaders);
    const options: RebuildOptions = { onProgress: (progress) => onProgress(lineOf(progress)) };
    if (mode === 'replace') {
      await rebuild.run(models, options);
      onBuilt(`Rebuilt ${LIST.format(models.map(({ name }) => `'${name}'`))}`);
      return 0;
    }
    let differing = 0;
    for (const model of models) {
      const { lines, rows } = await rebuildOne(rebuild, model, mode, options);
      for (const line of lines) onBuilt(line);
      differing += rows;
    }
    return differing;
  } finally {
    await close();
    await leaders.close();
  }
}

/** What happened, line by line. */
async function rebuildOne(
  rebuild: Rebuild,
  model: Model,
  mode: Exclude<RebuildMode, 'replace'>,
  options: RebuildOptions,
): Promise<{ readonly lines: readonly string[]; readonly rows: number }> {
  const { name } = model;
  if (mode === 'diff') {
    const diff = await rebuild.diff(model, options);
    return { lines: diffLines(name, diff), rows: diff.rows };
  }
  if (mode === 'switch') await rebuild.switch(model, options);
  else await rebuild.back(model, options);
  const kept = `Those that were in use are kept for a day: --back takes them again`;
  return {
    lines: [`${mode === 'switch' ? 'Switched to rebuilt' : 'Went back to the earlier'} rows of '${name}'. ${kept}`],
    rows: 0,
  };
}

const diffLines = (name: string, { position, rows, first }: RebuildDiff): readonly string[] => [
  `'${name}' differs from the log in ${rows} rows as of position ${position}`,
  ...rowLines(rows, first),
];

function rowLines(rows: number, first: RebuildDiff['first']): readonly string[] {
  const more = rows > first.length ? [`… and ${rows - first.length} more`] : [];
  const lines = first.map(({ table, key, live, rebuilt }) => {
    const columns = Object.keys({ ...live, ...rebuilt }).filter((one) => !sameContent(live?.[one], rebuilt?.[one]));
    const changes = columns.map(
      (one) => `${one} ${JSON.stringify(live?.[one])}, not ${JSON.stringify(rebuilt?.[one])}`,
    );
    if (table === STANDING) return `  ${table} ${JSON.stringify(key)}: ${String(live?.['says'])}`;
    const says = live === null ? 'is missing' : rebuilt === null ? 'should not be there' : changes.join('; ');
    return `  ${table} ${JSON.stringify(key)}: ${says}`;
  });
  return [...lines, ...more];
}

const openLog = (pool: PostgresPool, other: ExternalEventStore): EventStoreDbLog =>
  new EventStoreDbLog({ ...other, clock: new DatabaseClock(pool), marks: new PostgresLogMarks(pool) });

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
