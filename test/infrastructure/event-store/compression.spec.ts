import { uuidv7 } from 'uuidv7';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const TASKS = 64;
const payload = { file: 'invoices/2026/11/invoice.pdf', note: 'the same words in each of them' };

/** CI runs this on a Postgres with LZ4, too; the embedded one has none. */
describe('segments', () => {
  let db: PostgresFixture;
  beforeAll(async () => {
    db = await openPostgresStore();
  });
  afterAll(() => db.close());

  async function hasLz4(): Promise<boolean> {
    const { rows } = await db.pool.query<{ has: boolean }>(
      `select 'lz4' = any (enumvals) as has from pg_settings where name = 'default_toast_compression'`,
    );
    return rows[0]!.has;
  }

  it('are compressed where the server has LZ4, and stored as they are elsewhere', async () => {
    const queue = `q-${uuidv7()}`;
    await db.store.append([defineQueue(queue)]);
    const tasks = Array.from({ length: TASKS }, () => enqueue(queue, { payload }));
    await db.store.append(tasks);

    const { rows } = await db.pool.query<Record<'n' | 'stored' | 'length', number>>(
      `select n, pg_column_size(private) as stored, octet_length(private) as length from segments where type = 'TaskEnqueued'`,
    );
    expect(rows).toMatchObject([{ n: TASKS }]);
    const [{ stored, length }] = rows as [Record<'stored' | 'length', number>];
    expect(stored < length / 3).toBe(await hasLz4());
    expect(stored >= length).toBe(!(await hasLz4()));

    const read = await db.store.readStreams(tasks.map(({ stream }) => stream));
    expect(read.map(([first]) => first!.event.data)).toEqual(tasks.map(({ events: [first] }) => first!.event.data));
  });
});
