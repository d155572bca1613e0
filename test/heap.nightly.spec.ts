import { OPERATIONS, type OperationId } from '@waybill/client';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { built } from './support/built.js';
import { largestValue, largeText, type Schema } from './support/largest-value.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

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
const TASKS = 60;
const TRIGGERS = 20;
/** Of each kind: tasks with a result, with an error, and from the outbox. */
const EACH = 4;
/** Of one task. */
const ATTEMPTS = 3;
const AT_ONCE = 16;
/** No bound on the service, but the end of a test that hangs: a busy machine may take ten times as long as a quiet one. */
const MOST_MS = 600_000;

/** Ends when its heap is full. */
const PROGRAM: [string, ...string[]] = [process.execPath, '--max-old-space-size=512', built('src/main.ts')];

jest.setTimeout(MOST_MS + 300_000);

let database: TestDatabase;
let sql: pg.Client;
let service: ServiceProcess;
let url: string;
const tasks = Array.from({ length: TASKS }, () => uuidv7());
const batch = uuidv7();
/** One task each whose payload, result, error, attempts or data are the largest. */
const stored: Record<string, string> = { payload: tasks[0]! };
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

/** Stands for the largest text, which becomes JSON once. */
const LARGEST = '<the largest text>';
const LARGEST_TEXT = JSON.stringify(largeText(LARGE));
const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body).replace(JSON.stringify(LARGEST), () => LARGEST_TEXT);

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
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: textOf(body) }),
  });
  return read(response);
}

/** Reads the body to its end, or its first megabytes if it has none, and keeps nothing. */
async function statusOf({ status, body }: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of body ?? []) if ((bytes += (chunk as Uint8Array).length) > 24 * MIB) break;
  return status;
}

/** Had enough to do, or its client was too slow to send. */
const BUSY = [408, 503];

/** Repeats what was refused because the service or this process had enough to do. */
async function done<T = unknown>(method: string, path: string, body: object): Promise<T> {
  for (;;) {
    const { status, answer } = await ask(method, path, body, async (response) => ({
      status: response.status,
      answer: await response.json(),
    }));
    if (status < 300) return answer as T;
    if (!BUSY.includes(status))
      throw new Error(`Expected ${method} ${path} to be done, but: ${JSON.stringify(answer)}`);
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

/** Gives the queue's next task these reports. Returns its id. */
async function report(queue: string, how: string, ...bodies: readonly object[]): Promise<string> {
  const asked = { worker: 'w', waitMs: 30_000, leaseMs: 600_000 };
  const { tasks: claimed } = await done<{ tasks: { taskId: string; token: string }[] }>(
    'POST',
    `/v1/queues/${queue}/claims`,
    asked,
  );
  const [{ taskId, token }] = claimed as [(typeof claimed)[number]];
  for (const body of bodies) await done('POST', `/v1/tasks/${taskId}/${how}`, { token, ...body });
  return taskId;
}

const ERROR = { message: largeText(1_000), details: LARGEST };
const REPORTS: readonly [kind: string, how: string, body: object][] = [
  ['result', 'succeed', { result: LARGEST }],
  ['error', 'fail', { error: ERROR, final: true }],
];

/** As much data of one task as its history takes: 4 MiB. */
const DATA = Array.from({ length: 64 }, (_, n) => ({ data: { n, text: largeText(65_000) } }));

async function storeReports(): Promise<void> {
  for (const [kind, how, body] of REPORTS) {
    await each(EACH, () => done('POST', `/v1/queues/reported/tasks`, {}));
    await each(EACH, async () => (stored[kind] = await report('reported', how, body)));
  }
  await done('POST', `/v1/queues/reported/tasks`, {});
  stored.data = await report('reported', 'record', ...DATA);
  await done('POST', `/v1/queues/retried/tasks`, {});
  for (let n = 0; n < ATTEMPTS; n++) stored.attempts = await report('retried', 'fail', { error: ERROR });
}

/** Gives the relay the largest tasks, and waits until it has taken them. */
async function storeThroughOutbox(): Promise<void> {
  await sql.query(`select waybill.enqueue('reported', to_jsonb($1::text)) from generate_series(1, $2::int)`, [
    largeText(LARGE),
    EACH,
  ]);
  await until(
    'the relay to empty the outbox',
    async () => {
      const { rows } = await sql.query('select from waybill_outbox');
      return rows.length === 0 ? true : null;
    },
    MOST_MS,
  );
}

/** The service answers, and has asked the database for all that it asks until its clients take more. */
async function atRest(): Promise<void> {
  let quiet = 0;
  await until(
    'the service to rest',
    async () => {
      await expectAlive();
      const { rows } = await sql.query(`select from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`);
      quiet = rows.length === 0 ? quiet + 1 : 0;
      return quiet >= 10 ? true : null;
    },
    MOST_MS,
  );
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

/** Small requests that were answered before the work was over. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let [answered, isOver] = [0, false];
  const over = work.finally(() => (isOver = true));
  for (; !isOver; answered++) await expectAlive();
  await over;
  return answered;
}

async function expectAlive(): Promise<void> {
  const status = await ask('GET', '/healthz/live', undefined, statusOf).catch(() => 0);
  if (status !== 200) await service.ended;
  expect([status, service.errors.includes('heap')]).toEqual([200, false]);
}

beforeAll(async () => {
  database = await createTestDatabase();
  await start();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  const retry = { maxAttempts: null, backoff: { kind: 'fixed', baseMs: 0 } };
  const policy = { limits: { payloadBytes: 16 * MIB }, duplicatePending: 'allow', onFailure: 'retry', retry };
  for (const queue of ['large', 'listed', 'reported', 'retried']) await done('PUT', `/v1/queues/${queue}`, { policy });
  await each(TASKS, (n) => done('POST', '/v1/queues/large/tasks', { id: tasks[n], payload: LARGEST }));
  await storeReports();
  await storeThroughOutbox();
  await each(TRIGGERS, (n) =>
    done('PUT', `/v1/triggers/large${n}`, {
      cron: '0 0 1 1 *',
      timeZone: 'UTC',
      task: { queue: 'large', payload: LARGEST },
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
  await sql.end();
  await endServiceProcesses();
  await database.drop();
});

function pathOf(id: OperationId, task = tasks[0]!): string {
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
    id: path.includes('/batches/') ? batch : task,
  };
  const named = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof on) => on[name]);
  return query.length > 0 ? `${named}?${query.join('&')}` : named;
}

function bodyOf(id: OperationId): unknown {
  const { requestBody } = documented.find(({ operationId }) => operationId === id)!;
  return requestBody && largestValue(requestBody.content['application/json'].schema, components.schemas, LARGE * 0.9);
}

const operations = Object.keys(OPERATIONS) as OperationId[];
/** These streams do not end, and there is no proof, because nobody seals the log. */
const OTHERS: readonly OperationId[] = ['followEvents', 'followChanges', 'followTask', 'getTaskProof', 'exportLog'];
const reads = operations.filter((id) => OPERATIONS[id].method === 'GET' && !OTHERS.includes(id));
const commands = operations.filter((id) => OPERATIONS[id].method !== 'GET');

/** A service that is alive leaves a client that takes too little in two minutes, as this process may on a busy machine. */
const LEFT = 'left';

/** What 16 requests at once are answered with. */
async function answersAtOnce(method: string, path: string, body?: string): Promise<(number | typeof LEFT)[]> {
  const asked = Array.from({ length: AT_ONCE }, () => ask(method, path, body, statusOf).catch(() => LEFT));
  const answers = await Promise.all(asked);
  await expectAlive();
  return answers as (number | typeof LEFT)[];
}

async function expectAnswers(path: string): Promise<void> {
  const answers = await answersAtOnce('GET', path);
  expect(answers).toContain(200);
  // 503 while others have not taken their answers.
  for (const answer of answers) expect([200, 503, LEFT]).toContain(answer);
}

const ofTasks = (['getTask', 'getTaskHistory', 'getTaskExplanation'] as const).flatMap((id) =>
  ['result', 'error', 'attempts', 'data'].map((kind) => [id, kind] as const),
);

describe('a service with a heap of 512 MB', () => {
  it.each(reads)('answers 16 requests at once: %s', (id) => expectAnswers(pathOf(id)));

  it.each(ofTasks)('answers 16 requests at once: %s of a task with the largest %s', (id, kind) =>
    expectAnswers(pathOf(id, stored[kind])),
  );

  it.each(['payload', 'result', 'error', 'attempts', 'data'])(
    'streams 16 times at once the events of a task with the largest %s',
    (kind) => expectAnswers(`/v1/events?task=${stored[kind]}`),
  );

  it.each(['reported', 'retried'])('lists the tasks and failures of queue %s 16 times at once', async (queue) => {
    await expectAnswers(`/v1/tasks?queue=${queue}&limit=500`);
    await expectAnswers(`/v1/queues/${queue}/failed?limit=500`);
  });

  it('has followers that have read all of it', async () => {
    const { position } = await done<{ position: string }>('POST', '/v1/queues/listed/tasks', {});
    await until(
      'the followers',
      async () =>
        (await ask('GET', `/v1/queue-stats?minPosition=${position}`, undefined, statusOf)) === 200 ? true : null,
      MOST_MS,
    );
    await expectAlive();
  });

  it('outlives clients that take nothing of their answers', async () => {
    for (let n = 0; n < 150; n++) {
      const path = n % 2 === 0 ? `/v1/tasks/${tasks[n % TASKS]}/history` : `/v1/triggers/large${n % TRIGGERS}`;
      (await sendHead(`GET ${path}`)).write('\r\n');
    }
    await atRest();
  });

  it.each(['/v1/events', '/v1/events/stream?after=0'])(
    'outlives streams of events that nobody reads: %s',
    async (path) => {
      for (let n = 0; n < 90; n++) (await sendHead(`GET ${path}`)).write('\r\n');
      await atRest();
    },
  );

  it('outlives bodies that do not arrive', async () => {
    for (let n = 0; n < 60; n++) {
      const socket = await sendHead('POST /v1/tasks/batch');
      socket.write(`content-type: application/json\r\ncontent-length: ${4 * MIB}\r\n\r\n`);
      socket.write(Buffer.alloc(4 * MIB - 1, ' '));
    }
    await atRest();
  });

  it.each([
    ['more values than a body may have', 1_300_000, 413],
    ['nearly as many values as a body may have', 124_000, 400],
  ])('refuses 16 lists of objects without fields, one after the other: %s', async (_, objects, refusal) => {
    const body = `{"tasks":[${Array(objects).fill('{}').join(',')}]}`;
    const refused = answersAtOnce('POST', '/v1/tasks/batch', body);
    const answered = await answeredDuring(refused);
    for (const status of await refused) expect([refusal, ...BUSY]).toContain(status);
    expect(await refused).toContain(refusal);
    expect(answered).toBeGreaterThan(1);
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
    const body = bodyOf(id);
    const [path, text] = [pathOf(id), body === undefined ? undefined : JSON.stringify(body)];
    const answers = await answersAtOnce(OPERATIONS[id].method, path, text);
    expect(answers.some((answer) => answer !== LEFT)).toBe(true);
    expect(answers).not.toContain(500);
  });
});
