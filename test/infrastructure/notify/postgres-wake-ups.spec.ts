import { CHANNEL } from '../../../src/infrastructure/notify/channel.js';
import { PostgresWakeUps } from '../../../src/infrastructure/notify/postgres-wake-ups.js';
import { type PostgresConnection, PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

let pool: PostgresPool;
let wakeUps: PostgresWakeUps;
beforeEach(() => {
  pool = new PostgresPool({ url: database.url, size: 3 });
  wakeUps = new PostgresWakeUps(pool);
});
/** Waits for every borrowed connection. */
afterEach(async () => {
  wakeUps.onApplicationShutdown();
  await pool.end();
});

const nextQueue = (): Promise<string> => new Promise((resolve) => wakeUps.onQueueReady(resolve));
const notify = (payload: string) => pool.query('select pg_notify($1, $2)', [CHANNEL, payload]);

async function breakOff({ client, query }: PostgresConnection): Promise<void> {
  const { rows } = await query('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
}

describe('wake-ups of other processes', () => {
  it('name the queue that is ready', async () => {
    await wakeUps.onApplicationBootstrap();
    const next = nextQueue();
    await notify(JSON.stringify({ from: 'other', position: '1', schedule: false, queues: ['mail'], freed: [] }));
    expect(await next).toBe('mail');
  });

  it.each([
    ['the step', { step: 'send' }, { step: 'send' }],
    ['a step of several lines', { step: 'send\nnow' }, { step: 'send\nnow' }],
    ['the needs', { needs: { gpu: true } }, { needs: { gpu: true } }],
    ['both', { step: 'send', needs: { site: 'paris\n' } }, { step: 'send', needs: { site: 'paris\n' } }],
    ['the step alone, beside long needs', { step: 'send', needs: { site: 'x'.repeat(200) } }, { step: 'send' }],
    ['the queue alone, with long needs', { needs: { site: 'x'.repeat(200) } }, undefined],
  ])('name what tells the tasks apart, if only such are ready: %s', async (_, only, told) => {
    const other = new PostgresWakeUps(pool);
    await other.onApplicationBootstrap();
    const next = new Promise((resolve) => other.onQueueReady((queue, is) => queue !== '*' && resolve([queue, is])));
    wakeUps.queueReady('mail', only);
    expect(await next).toEqual(['mail', told]);
    other.onApplicationShutdown();
  });

  it('stand for all tasks of the queue, if the needs cannot be parsed', async () => {
    await wakeUps.onApplicationBootstrap();
    const next = new Promise((resolve) => wakeUps.onQueueReady((queue, is) => queue !== '*' && resolve([queue, is])));
    await notify(JSON.stringify({ from: 'x', position: '1', schedule: false, queues: ['mail\n\n{gpu'], freed: [] }));
    expect(await next).toEqual(['mail', undefined]);
  });

  it.each(['hello', '', 'null', '{}', '{"from":"x","position":null,"schedule":true,"queues":null,"freed":null}'])(
    'stand for any queue if they cannot be parsed: %j',
    async (payload) => {
      await wakeUps.onApplicationBootstrap();
      const next = nextQueue();
      await notify(payload);
      expect(await next).toBe('*');
    },
  );

  it('are received once if the connection is lost as it begins to listen', async () => {
    const lend = pool.connect.bind(pool);
    const connect = jest.spyOn(pool, 'connect').mockImplementationOnce(async () => {
      const connection = await lend();
      const query: PostgresConnection['query'] = async (text) => {
        await breakOff(connection);
        return connection.query(text);
      };
      return { ...connection, query };
    });
    await wakeUps.onApplicationBootstrap();
    expect(await nextQueue()).toBe('*');
    expect(connect).toHaveBeenCalledTimes(2);
  });

  it('are received again after the connection was lost', async () => {
    await wakeUps.onApplicationBootstrap();
    const next = nextQueue();
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen ${CHANNEL}' and datname = current_database()`,
    );
    expect(await next).toBe('*');
  });

  it('are not awaited if the process stops while it connects', async () => {
    const starting = wakeUps.onApplicationBootstrap();
    wakeUps.onApplicationShutdown();
    await starting;
    await pool.end();
  });
});
