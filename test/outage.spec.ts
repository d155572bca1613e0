import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

/** A connection to the database that can be cut and mended. */
class Cable {
  private readonly sockets = new Set<Socket>();
  private server!: TcpServer;
  private cut = false;
  private frozen = false;

  async open(to: URL): Promise<string> {
    this.server = createServer((socket) => this.join(socket, connect(Number(to.port), to.hostname)));
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(to);
    url.searchParams.delete('host'); // past the socket
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  break(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.cut = false;
  }

  /** Stops passing data without closing anything, also on connections that begin later. */
  freeze(): void {
    this.frozen = true;
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  close(): void {
    this.break();
    this.server.close();
  }

  private join(...[near, far]: [near: Socket, far: Socket]): void {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [near, far].forEach((one) => one.destroy()));
    }
    if (this.cut) near.destroy();
    if (!this.frozen) near.pipe(far).pipe(near);
  }
}

let database: TestDatabase;
let cable: Cable;
let service: ServiceProcess;
let url: string;

beforeEach(async () => {
  database = await createTestDatabase();
  cable = new Cable();
  const DATABASE_URL = await cable.open(new URL(database.url));
  service = new ServiceProcess({ DATABASE_URL, WAYBILL_SHUTDOWN_GRACE_MS: '100' });
  url = await service.url();
});

afterEach(async () => {
  await endServiceProcesses();
  cable.close();
  await database.drop();
});

const ask = (path: string, method = 'GET', body?: object): Promise<Response> =>
  fetch(url + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

const answered = (path: string, status: number): Promise<true> =>
  until(`${path} to answer with ${status}`, async () => ((await ask(path)).status === status ? true : null));

it('answers 503 while the database is unavailable, and recovers afterwards', async () => {
  await ask('/v1/queues/mail', 'PUT', {});
  expect((await ask('/v1/queues/mail/tasks', 'POST', {})).status).toBe(201);
  cable.break();
  const refused = await Promise.all([
    ask('/v1/queues/mail/tasks', 'POST', {}),
    ask('/v1/queues/mail/claims', 'POST', { worker: 'w1' }),
    ask('/v1/queues/mail'),
    ask('/v1/tasks'),
    ask('/healthz/ready'),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1', '1', '1']);
  expect((await ask('/healthz/live')).status).toBe(200);
  cable.mend();
  await answered('/healthz/ready', 200);
  expect((await ask('/v1/queues/mail/tasks', 'POST', {})).status).toBe(201);
  const { tasks } = (await (await ask('/v1/queues/mail/claims', 'POST', { worker: 'w1', max: 9 })).json()) as {
    tasks: unknown[];
  };
  expect(tasks.length).toBeGreaterThanOrEqual(2);
  const { position } = (await (await ask('/v1/queues/mail/tasks', 'POST', {})).json()) as { position: string };
  // The followers have recovered too.
  await answered(`/v1/queues/mail/stats?minPosition=${position}`, 200);
});

it('is not ready while the database does not answer, and stops without waiting for it', async () => {
  await ask('/v1/queues/mail', 'PUT', {});
  cable.freeze();
  const inProgress = ask('/v1/queues/mail/tasks', 'POST', {}).then(
    ({ status }) => status,
    () => 'no answer',
  );
  const { status } = await ask('/healthz/ready');
  expect(status).toBe(503);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(1);
  expect(await inProgress).toBe('no answer');
  expect(service.errors).toBe(
    'Expected to stop within 10100 ms, but a store does not answer; the outcome of requests in progress is unknown.\n',
  );
});
