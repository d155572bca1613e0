import pg from 'pg';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** What a server, a database, a role or an application may set for the session that calls `waybill.enqueue`. */
const SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'Asia/Kolkata',
  datestyle: 'German, DMY',
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  xmloption: 'document',
  search_path: '',
  row_security: 'off',
  synchronous_commit: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  exit_on_error: 'on',
  plan_cache_mode: 'force_custom_plan',
  jit: 'on',
  enable_indexscan: 'off',
  enable_seqscan: 'off',
  lock_timeout: '10s',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '10s',
  check_function_bodies: 'off',
  lc_numeric: 'C',
};

/** With parameters, because the application's own literals are its own. */
const ENQUEUE = {
  text: `select waybill.enqueue($1, $2, key => 'k', reference => 'r', kind => 'letter', priority => 3, due_at => $3, labels => $4,
    description => $5, actor => 'ann', deadline_at => $6, data => '{"pages": 3}') as id`,
  values: [
    'mail',
    '{"price": 0.1234567890123456789, "text": "Zoë\\n"}',
    '2030-03-04T05:06:07.123456Z',
    '{"team": "blue"}',
    "Zoë's \\letter",
    '2030-03-05T00:00:00+05:30',
  ],
};

describe("an application's own session", () => {
  let database: TestDatabase;
  let pool: PostgresPool;
  let usual: object;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new PostgresPool({ url: database.url, size: 1 });
    usual = await enqueuedBy();
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** The row that a session with these defaults of its role leaves, as our own sessions read it. */
  async function enqueuedBy(setting?: string): Promise<object> {
    const options = setting === undefined ? '' : `-c ${setting}=${SETTINGS[setting]!.replaceAll(' ', '\\ ')}`;
    const application = new pg.Client({ connectionString: database.url, ...(options && { options }) });
    await application.connect();
    try {
      const { rows } = await application.query<{ id: string }>(ENQUEUE);
      const found = await pool.query<{ row: Record<string, unknown> }>(
        'select to_jsonb(o) - array[$2, $3, $4] as row from waybill_outbox o where id = $1',
        [rows[0]!.id, 'id', 'seq', 'created_at'],
      );
      return found.rows[0]!.row;
    } finally {
      await application.end();
    }
  }

  it('leaves what it says', () => {
    expect(usual).toMatchObject({
      queue: 'mail',
      payload: { text: 'Zoë\n' },
      due_at: '2030-03-04T05:06:07.123456+00:00',
      deadline_at: '2030-03-04T18:30:00+00:00',
    });
  });

  it.each(Object.keys(SETTINGS))('enqueues the same whatever its %s is', async (setting) => {
    expect(await enqueuedBy(setting)).toEqual(usual);
  });

  it('is told in the words of Postgres that it may only read', async () => {
    const application = new pg.Client({
      connectionString: database.url,
      options: '-c default_transaction_read_only=on',
    });
    await application.connect();
    await expect(application.query(ENQUEUE)).rejects.toMatchObject({ code: '25006' });
    await application.end();
  });
});
