import { OPERATIONS, type OperationId } from '@waybill/client';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { built } from './support/built.js';
import { largestValue, largeText, type Schema } from './support/largest-value.js';
import { lasting } from './support/lasting.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

interface Operation {
  readonly operationId: OperationId;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const { paths, components } = JSON.parse(readFileSync(join(__dirname, '../openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const documented = Object.values(paths).flatMap((methods) => Object.values(methods));

const MIB = 1024 * 1024;
/** The largest payload in a body of 4 MiB. */
const LARGE = 4 * MIB - 2_000;
const TASKS = 100;
const TRIGGERS = 40;
const AT_ONCE = 16;
const MOST_MS = 115_000;

/** Ends when its heap is full. */
const PROGRAM: [string, ...string[]] = [process.execPath, '--max-old-space-size=512', built('src/main.ts')];

let database: TestDatabase;
let service: ServiceProcess;
let url: string;
const tasks = Array.from({ length: TASKS }, () => uuidv7());
const batch = uuidv7();
const sockets: Socket[] = [];

async function start(): Promise<void> {
  service = new ServiceProcess({ DATABASE_URL: database.url }, PROGRAM);
  url = await service.url();
}

async function restart(): Promise<void> {
  service.kill('SIGKILL');
  await service.ended;
  await start();
}

/** The answer, of which `read` takes the body. */
async function ask<T>(
  method: string,
  path: string,
  body: unknown,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(MOST_MS),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return read(response);
}

/** Reads the body to its end, or its first megabytes if it has none, and keeps nothing. */
async function statusOf({ status, body }: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of body ?? []) if ((bytes += (chunk as Uint8Array).length) > 64 * MIB) break;
  return status;
}

/** Repeats what was refused because the service had enough to do. */
async function done<T = unknown>(method: string, path: string, body: object): Promise<T> {
  for (;;) {
    const { status, answer } = await ask(method, path, body, async (response) => ({
      status: response.status,
      answer: await response.json(),
    }));
    if (status < 300) return answer as T;
    if (status !== 503) throw new Error(`Expected ${method} ${path} to be done, but: ${JSON.stringify(answer)}`);
  }
}

async function each(times: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: 5 }, line));
}

/** A task as lists show it at its largest. */
function listedTask(): object {
  const all = largestValue(components.schemas.QueuedSubmission!, components.schemas, 80_000) as Record<string, unknown>;
  const { labels, description } = all;
  return { queue: 'listed', key: uuidv7(), reference: uuidv7(), labels, description };
}

/** Sends the head of a request, and takes nothing of its answer. */
async function sendHead(head: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${head} HTTP/1.1\r\nhost: localhost\r\n`);
  return socket;
}

/** The time, in milliseconds, that the slowest of many small requests took. */
async function slowestAnswerDuring(work: Promise<unknown>): Promise<number> {
  let [slowest, isOver] = [0, false];
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    const begun = performance.now();
    await expectAlive();
    slowest = Math.max(slowest, performance.now() - begun);
  }
  await over;
  return slowest;
}

async function expectAlive(): Promise<void> {
  const status = await ask('GET', '/healthz/live', undefined, statusOf).catch(() => 0);
  if (status !== 200) await service.ended;
  expect([status, service.errors.includes('heap')]).toEqual([200, false]);
}

beforeAll(async () => {
  database = await createTestDatabase();
  await start();
  const policy = { limits: { payloadBytes: 16 * MIB }, duplicatePending: 'allow' };
  for (const queue of ['large', 'listed']) await done('PUT', `/v1/queues/${queue}`, { policy });
  await each(TASKS, (n) => done('POST', '/v1/queues/large/tasks', { id: tasks[n], payload: largeText(LARGE) }));
  await each(TRIGGERS, (n) =>
    done('PUT', `/v1/triggers/large${n}`, {
      cron: '0 0 1 1 *',
      timeZone: 'UTC',
      task: { queue: 'large', payload: largeText(LARGE) },
    }),
  );
  await each(10, () => done('POST', '/v1/tasks/batch', { tasks: Array.from({ length: 50 }, listedTask) }));
  await done('POST', '/v1/batches', { id: batch, name: 'large' });
  await done('PUT', '/v1/holds/large', { labels: { a: 'b' }, reason: largeText(500) });
  await done('PUT', '/v1/resources/large', { description: largeText(500) });
});
beforeEach(async () => {
  if (service.isOver) await start();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await endServiceProcesses();
  await database.drop();
});

function pathOf(id: OperationId): string {
  const { path } = OPERATIONS[id];
  const { parameters = [] } = documented.find(({ operationId }) => operationId === id)!;
  const query = parameters
    .filter(({ in: place, name }) => place === 'query' && ['limit', 'depth'].includes(name))
    .map(({ name, schema }) => `${name}=${Math.min(schema.maximum ?? 500, 5_000)}`);
  const on = {
    queue: 'large',
    trigger: 'large0',
    hold: 'large',
    resource: 'large',
    id: path.includes('/batches/') ? batch : tasks[0]!,
  };
  const named = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof on) => on[name]);
  return query.length > 0 ? `${named}?${query.join('&')}` : named;
}

function bodyOf(id: OperationId): unknown {
  const { requestBody } = documented.find(({ operationId }) => operationId === id)!;
  return requestBody && largestValue(requestBody.content['application/json'].schema, components.schemas, LARGE * 0.9);
}

const operations = Object.keys(OPERATIONS) as OperationId[];
const reads = operations.filter((id) => OPERATIONS[id].method === 'GET' && id !== 'followEvents');
const commands = operations.filter((id) => OPERATIONS[id].method !== 'GET');

describe('a service with a heap of 512 MB', () => {
  it.each(reads)('answers 16 requests at once: %s', async (id) => {
    const path = pathOf(id);
    const asked = Array.from({ length: AT_ONCE }, () => ask('GET', path, undefined, statusOf));
    const statuses = await Promise.allSettled(asked);
    await expectAlive();
    expect(statuses).toContainEqual({ status: 'fulfilled', value: 200 });
    // 503 while others have not taken their answers.
    for (const each of statuses) expect([200, 503]).toContain((each as { value?: number }).value);
  });

  it('outlives clients that take nothing of their answers', async () => {
    for (let n = 0; n < 150; n++) {
      const path = n % 2 === 0 ? `/v1/tasks/${tasks[n % TASKS]}/history` : `/v1/triggers/large${n % TRIGGERS}`;
      (await sendHead(`GET ${path}`)).write('\r\n');
    }
    await lasting(5_000);
    await expectAlive();
  });

  it.each(['/v1/events', '/v1/events/stream?after=0'])(
    'outlives streams of events that nobody reads: %s',
    async (path) => {
      for (let n = 0; n < 90; n++) (await sendHead(`GET ${path}`)).write('\r\n');
      await lasting(10_000);
      await expectAlive();
    },
  );

  it('outlives bodies that do not arrive', async () => {
    for (let n = 0; n < 60; n++) {
      const socket = await sendHead('POST /v1/tasks/batch');
      socket.write(`content-type: application/json\r\ncontent-length: ${4 * MIB}\r\n\r\n`);
      socket.write(Buffer.alloc(4 * MIB - 1, ' '));
    }
    await lasting(3_000);
    await expectAlive();
  });

  it.each([
    ['more values than a body may have', 1_300_000],
    ['nearly as many values as a body may have', 124_000],
  ])('answers others while it refuses 16 lists of objects without fields: %s', async (_, objects) => {
    const body = `{"tasks":[${Array(objects).fill('{}').join(',')}]}`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const refused = Promise.all(
      Array.from({ length: AT_ONCE }, () => fetch(`${url}/v1/tasks/batch`, init).then(statusOf)),
    );
    const slowest = await slowestAnswerDuring(refused);
    for (const status of await refused) expect([400, 413, 503]).toContain(status);
    expect(slowest).toBeLessThan(1_000);
  });

  it('settles all its large tasks at once, though it does not know them any more', async () => {
    const claimed: { taskId: string; token: string }[] = [];
    while (claimed.length < TASKS) {
      const { tasks } = await done<{ tasks: typeof claimed }>('POST', '/v1/queues/large/claims', {
        worker: 'w',
        max: 100,
        leaseMs: 600_000,
      });
      claimed.push(...tasks);
    }
    await restart();
    const items = claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'return' } }));
    const { results } = await done<{ results: object[] }>('POST', '/v1/settlements', { items });
    await expectAlive();
    expect(results).toHaveLength(TASKS);
  });

  it.each(commands)('answers 16 of the largest requests at once: %s', async (id) => {
    const [path, body] = [pathOf(id), bodyOf(id)];
    const asked = Array.from({ length: AT_ONCE }, () => ask(OPERATIONS[id].method, path, body, statusOf));
    const statuses = await Promise.allSettled(asked);
    await expectAlive();
    for (const each of statuses) {
      expect(each.status).toBe('fulfilled');
      expect((each as { value: number }).value).not.toBe(500);
    }
  });
});
