import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { AGGREGATES, categoryOf, type Category } from '../../src/domain/aggregates.js';
import { EVENTS } from '../../src/domain/events.js';
import { type Decider, type DomainEvent, fold } from '../../src/domain/kernel/decider.js';
import { IndexRebuild } from '../../src/infrastructure/dispatch-index/index-rebuild.js';
import { Leaders } from '../../src/infrastructure/leadership/leaders.js';
import { Rebuild } from '../../src/infrastructure/projection-engine/rebuild.js';
import { FOLLOWED } from '../../src/projections/read-models.js';
import { optionalFields, pathsIn } from '../support/optional-fields.js';
import { fromEventStoreDb, type StoredLine } from '../support/eventstoredb/stored-line.js';
import { sizeOf } from '../support/sizes.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

/** A line of `segments.ndjson`: a row of the table `segments`, its arrays as text. */
interface Segment {
  readonly type: string;
  readonly version: number;
}

const LOGS = readdirSync(__dirname, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
/** Those that the script stores anew: small, the last by its name, because the script is the same for all. */
const SCRIPTED = LOGS.slice(-sizeOf(LOGS.length, 1));
const LINES = ['segments', 'stream-names', 'eventstoredb'] as const;

const read = (log: string, file: string): string => readFileSync(join(__dirname, log, file), 'utf8');
const textLines = (log: string, file: string): string[] => read(log, file).split('\n').slice(0, -1);
const linesOf = <Line>(log: string, name: (typeof LINES)[number]): Line[] =>
  textLines(log, `${name}.ndjson`).map((line) => JSON.parse(line) as Line);

const digestsOf = (log: string): string[] =>
  LINES.flatMap((name) => textLines(log, `${name}.ndjson`)).map((line) =>
    createHash('sha256').update(line).digest('hex').slice(0, 16),
  );

function streamsOf(events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  return streams;
}

/** The state of every stream. */
function statesOf(events: readonly RecordedEvent[]): Record<string, unknown> {
  return Object.fromEntries(
    [...streamsOf(events)].map(([stream, all]) => {
      const { decider } = AGGREGATES[categoryOf(stream) as Category];
      return [
        stream,
        fold(
          decider as unknown as Decider<unknown, never, DomainEvent, unknown>,
          all.map(({ event }) => event),
        ),
      ];
    }),
  );
}

/** What is derived from the log, without what belongs to the clock of the rebuild. */
const INDEX = [
  'queues',
  'tasks',
  'waiting',
  'key_failures',
  'prerequisites',
  'batches',
  'triggers',
  'holds',
  'resources',
  'views',
  'system',
  'ready',
  'key_slots',
];
const MODELS = FOLLOWED.flatMap(({ tables }) => tables.map(({ name }) => name));

async function rowsOf({ pool }: PostgresFixture, table: string): Promise<unknown[]> {
  const { rows } = await pool.query(`select to_jsonb(t) - 'lease' as row from ${table} t order by 1`);
  return rows.map(({ row }) => row as unknown);
}

async function load({ pool }: PostgresFixture, log: string): Promise<void> {
  for (const [table, name] of [
    ['segments', 'segments'],
    ['stream_names', 'stream-names'],
  ] as const) {
    await pool.query(
      `insert into ${table} select r.* from jsonb_array_elements($1::jsonb) e, jsonb_populate_record(null::${table}, e) r`,
      [JSON.stringify(linesOf(log, name))],
    );
  }
}

/** With GOLDEN=write the test stores what it found, to be looked at and committed. The digest of a log is stored only once. */
function expectStored(log: string, file: string, found: unknown): void {
  const text = `${JSON.stringify(found, null, 1)}\n`;
  if (process.env.GOLDEN === 'write') writeFileSync(join(__dirname, log, file), text);
  expect(JSON.parse(text)).toEqual(JSON.parse(read(log, file)));
}

describe.each(LOGS)('the golden log %s', (log) => {
  let db: PostgresFixture;
  beforeAll(async () => {
    db = await openPostgresStore();
    await load(db, log);
  });
  afterAll(() => db.close());

  it('has the lines that were once stored, and none that was edited', () => {
    const file = join(__dirname, log, 'digests');
    if (process.env.GOLDEN === 'write' && !existsSync(file)) writeFileSync(file, `${digestsOf(log).join('\n')}\n`);
    expect(digestsOf(log)).toEqual(textLines(log, 'digests'));
  });

  it('is read and folded as ever', async () => {
    expectStored(log, 'states.json', statesOf(await db.store.readAll(0n, 10_000)));
  });

  it('is the same in EventStoreDB', async () => {
    const events = await db.store.readAll(0n, 10_000);
    const elsewhere = linesOf<StoredLine>(log, 'eventstoredb').map(fromEventStoreDb);
    expect(elsewhere).toEqual(events);
  });

  it('has the digests that its text gives, wherever it has any', async () => {
    const { rows } = await db.pool.query(`select position from segments s where digest <> waybill_digest(
      s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.data, s.private, s.salts)`);
    expect(rows).toEqual([]);
  });

  if (SCRIPTED.includes(log))
    it('is stored by the script as it is', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'waybill-golden-'));
      const env = { ...process.env, DATABASE_URL: db.url };
      await promisify(execFile)(process.execPath, [join(__dirname, '../../scripts/golden-log.mjs'), folder], { env });
      for (const name of ['segments', 'eventstoredb'] as const)
        expect(await readFile(join(folder, `${name}.ndjson`), 'utf8')).toBe(read(log, `${name}.ndjson`));
      await rm(folder, { recursive: true });
    });

  it('gives the same index and read models', async () => {
    await new IndexRebuild(db.pool).run();
    const leaders = new Leaders(db.pool);
    await new Rebuild(db.store, db.pool, leaders).run(FOLLOWED);
    await leaders.close();
    const tables: Record<string, unknown[]> = {};
    for (const table of [...INDEX, ...MODELS]) tables[table] = await rowsOf(db, table);
    expectStored(log, 'tables.json', tables);
  });
});

it('the golden logs have every version of every event', () => {
  const stored = new Set(
    LOGS.flatMap((log) => linesOf<Segment>(log, 'segments')).map(({ type, version }) => `${type} ${version}`),
  );
  const declared = Object.entries(EVENTS).flatMap(([type, { version }]) =>
    Array.from({ length: version }, (_, at) => `${type} ${at + 1}`),
  );
  expect(declared.filter((name) => !stored.has(name))).toEqual([]);
});

/** Held tasks are caught when their turn comes, so these commands name no hold any more. */
const NEVER_WRITTEN = ['TaskSubmitted.heldBy', 'TaskRetried.heldBy'];

it('the golden logs have every field that an event may lack', () => {
  const stored = new Set(
    LOGS.flatMap((log) => linesOf<StoredLine>(log, 'eventstoredb')).flatMap(({ type, data }) =>
      pathsIn(JSON.parse(data), type),
    ),
  );
  const fields = optionalFields();
  const found = new Set(fields.filter(({ path }) => stored.has(path)).map(({ declared }) => declared));
  const missing = fields.map(({ declared }) => declared).filter((declared) => !found.has(declared));
  expect(fields.length).toBeGreaterThan(300);
  expect([...new Set(missing)].sort()).toEqual([...NEVER_WRITTEN].sort());
});
