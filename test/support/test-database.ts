import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database, closing every open connection to it. */
  drop(): Promise<void>;
}

/** Creates a migrated database for one spec file, so that files in parallel workers do not see each other's data. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  create(settingOf('TEST_TEMPLATE'), settingOf('TEST_FUNCTIONS'));

/** The same without a schema. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabaseWith(copyOf('template1'));

/** A copy of a database to which nobody is connected, as of a restored backup. */
export const copyOfDatabase = ({ url }: Pick<TestDatabase, 'url'>): Promise<TestDatabase> =>
  createDatabaseWith(copyOf(new URL(url).pathname.slice(1)));

/** An empty one with such options of CREATE DATABASE. */
export const createDatabaseWith = (options: string): Promise<TestDatabase> => createNamed(newName(), options);

let more: readonly string[] = [];

/**
 * For a spec file that looks at plans, or at what statements read: its migrated databases plan as in production, also in the gate
 * (`TEST_PLANS`). Call it before it creates one.
 */
export const planAsInProduction = (): void => void (more = ['plan_cache_mode = auto']);

/** Tests call functions on connections of their own. */
function create(template: string, functions: string): Promise<TestDatabase> {
  const name = newName();
  const settings = [`search_path = "$user", public, ${functions}`, ...more];
  return createNamed(name, copyOf(template), ...settings.map((setting) => `ALTER DATABASE ${name} SET ${setting}`));
}

/** Copying files takes a third of the processor time of the default, which also writes them to the write-ahead log. */
const copyOf = (template: string): string => `TEMPLATE ${template} STRATEGY FILE_COPY`;

const newName = (): string => `test_${randomBytes(8).toString('hex')}`;

async function createNamed(name: string, options: string, ...then: readonly string[]): Promise<TestDatabase> {
  const url = new URL(settingOf('DATABASE_URL'));
  await administer(`CREATE DATABASE ${name} ${options}`, ...then);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

function settingOf(name: 'DATABASE_URL' | 'TEST_FUNCTIONS' | 'TEST_TEMPLATE'): string {
  const value = process.env[name];
  if (!value) throw new Error(`Expected ${name} to be set by the set-up of this test run, but it is not`);
  return value;
}

async function administer(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: settingOf('DATABASE_URL') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
