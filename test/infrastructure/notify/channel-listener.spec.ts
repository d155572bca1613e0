import { Logger } from '@nestjs/common';
import { type PostgresConnection, PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { ChannelListener } from '../../../src/infrastructure/notify/channel-listener.js';
import { Signal } from '../../../src/application/kernel/signal.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';
import { until } from '../../support/until.js';
import { type TcpProxy, tcpProxyTo } from '../../support/tcp-proxy.js';

const CHANNEL = 'doorbell';
const LOST = 'Listens for wake-ups anew, because the connection was lost: ';

let database: TestDatabase;
let proxy: TcpProxy;
let pool: PostgresPool;
beforeEach(async () => {
  database = await createEmptyDatabase();
  proxy = await tcpProxyTo(database.url);
  pool = new PostgresPool({ url: proxy.url, size: 2 });
});
afterEach(async () => {
  await pool.end();
  proxy.close();
  await database.drop();
});

/** A listener that is asked often, and what it has said and heard. */
function listening() {
  const begun = new Signal();
  const heard: string[] = [];
  const listener = new ChannelListener(
    pool,
    CHANNEL,
    { begun: () => begun.emit(), notice: (payload) => heard.push(payload) },
    { everyMs: 20, answerMs: 500 },
  );
  return { listener, begun, heard, lost: jest.spyOn(Logger.prototype, 'warn').mockReturnValue() };
}

const never = new AbortController().signal;

it.each([
  ['is dead without a trace', async () => proxy.swallow([...proxy.clients][0]!), 'Query read timeout'],
  [
    'has lost its session',
    ({ query }: PostgresConnection) => query(`unlisten ${CHANNEL}`),
    'its session does not listen any more',
  ],
])('a connection that %s is noticed, said, and replaced', async (_, breaks, reason) => {
  const lent = jest.spyOn(pool, 'connect');
  const { listener, begun, heard, lost } = listening();
  await listener.start();
  await breaks((await lent.mock.results[0]!.value) as PostgresConnection);
  await begun.past(1, never);
  expect(lost).toHaveBeenCalledWith(LOST + reason);
  await pool.query('select pg_notify($1, $2)', [CHANNEL, 'ding']);
  expect(await until('the notification', async () => heard[0] ?? null)).toBe('ding');
  listener.stop();
});
