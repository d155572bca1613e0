import { createWaybill, OPERATIONS, type OperationId, type SettleVerdict, type Transaction } from '@waybill/client';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { programFor } from '../../packages/cli/src/program.js';
import { Operations } from '../../src/api/operations/operations.js';
import { InProcessTransport } from '../../src/in-process/in-process-transport.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

interface Documented {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly 'x-waybill': { readonly idempotency: 'key' | 'own' | 'none'; readonly transaction: boolean };
}

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const STREAMS = ['readEvents', 'followEvents', 'followChanges', 'followTask', 'exportLog'] as const;
const HEADERS = { 'waybill-actor': 'ann', 'x-request-id': 'r-1' };

let api: FakeApplication;
let documented: (Documented & { readonly method: string; readonly path: string })[];
beforeAll(async () => {
  api = await fakeApplication();
  const { paths } = (await api.app.inject('/openapi.json')).json();
  documented = Object.entries<Record<string, Documented>>(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    // Others send what they have signed: no client calls it.
    .filter((operation) => operation['x-waybill'].idempotency !== undefined);
});
afterAll(() => api.app.close());
afterEach(() => {
  api.commands.forget();
  api.queries.forget();
});

/** The commands and queries that reached the application. */
const executed = () => [...api.commands.executed.splice(0), ...api.queries.executed.splice(0)];

describe('every operation', () => {
  it('is in the table of the client', () => {
    const waits = { minPosition: true };
    const routes = documented.map(
      ({ operationId, method, path, summary, parameters, 'x-waybill': { idempotency } }) => [
        operationId,
        { method, path, idempotency, summary, ...(parameters?.some(({ name }) => name === 'minPosition') && waits) },
      ],
    );
    expect(routes.length).toBeGreaterThan(40);
    expect(OPERATIONS).toEqual(Object.fromEntries(routes));
  });

  const calls = (Object.keys(OPERATIONS) as OperationId[]).filter((id) => !STREAMS.some((stream) => stream === id));

  it.each(calls)('has the same effect in process as over HTTP: %s', async (id) => {
    const { method, path } = OPERATIONS[id];
    const name = ['queue', 'trigger', 'hold', 'resource', 'view'].find((one) => path.includes(`{${one}}`));
    const on: Record<string, string> = name ? { [name]: 'mail' } : { id: ID };
    const url = path.replace(`{${name}}`, 'mail').replace('{id}', ID);
    const payload = method === 'POST' || method === 'PUT' ? {} : undefined;
    const overHttp = await api.app.inject({ method, url, headers: HEADERS, ...(payload && { payload }) });
    const commands = executed();
    const transport = new InProcessTransport(api.app.get(Operations));
    const inProcess = await transport.call(id, { path: on, body: payload, headers: HEADERS });
    expect([inProcess.status, codeOf(inProcess.body)]).toEqual([overHttp.statusCode, codeOf(overHttp.json())]);
    expect(executed()).toEqual(commands);
  });

  it.each(STREAMS)('streams the same in process as over HTTP: %s', async (id) => {
    const { statusCode } = await api.app.inject(`${OPERATIONS[id].path}?after=x`);
    const opened = new InProcessTransport(api.app.get(Operations)).open(id, { query: { after: 'x' } });
    await expect(opened[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: statusCode });
  });

  it('can be collected by the client if a transaction may contain it', async () => {
    const offered = documented.filter((operation) => operation['x-waybill'].transaction);
    const collected = await collectedBy((tx) => {
      for (const name of methodsOf(tx.task(ID))) give(tx.task(ID), name);
      for (const name of methodsOf(tx.queue('mail'))) give(tx.queue('mail'), name);
      for (const type of VERDICTS) tx.settle({ taskId: ID, token: 't', verdict: { type } as SettleVerdict });
    });
    expect(collected.sort()).toEqual(offered.map(({ operationId }) => operationId).sort());
  });

  it('has a command of the command line if people give it to a task or a queue', async () => {
    let tasks: string[] = [];
    let queues: string[] = [];
    await collectedBy((tx) => {
      tasks = methodsOf(tx.task(ID)).map((name) => `task ${dashed(name)}`);
      queues = methodsOf(tx.queue('mail')).map((name) => VERBS[name] ?? `queue ${dashed(name)}`);
    });
    const verbs = leaves(
      programFor({ stdin: Readable.from([]), stdout: process.stdout, stderr: process.stderr, env: {} }),
    );
    expect(tasks.length + queues.length).toBeGreaterThan(20);
    expect([...tasks, ...queues].filter((verb) => !verbs.includes(verb))).toEqual([]);
  });
});

const VERDICTS: readonly SettleVerdict['type'][] = [
  'succeed',
  'fail',
  'completeStep',
  'record',
  'reportError',
  'return',
  'wait',
  'confirmCancel',
  'cancel',
];

/** The commands whose names differ from the client's method. */
const VERBS: Readonly<Record<string, string>> = {
  enqueue: 'enqueue',
  changePolicy: 'queue change',
  setLimit: 'limit set',
  unsetLimit: 'limit unset',
};

const codeOf = (body: unknown): unknown => (body as { code?: string }).code;
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The ids of the commands that `work` collects, in the form in which they are sent. */
async function collectedBy(work: (tx: Transaction) => void): Promise<string[]> {
  let sent: string[] = [];
  const transport = {
    call: async (_: OperationId, { body }: { body?: unknown }) => {
      sent = (body as { commands: { operation: string }[] }).commands.map(({ operation }) => operation);
      return { status: 200, headers: {}, body: { results: [], position: '1' } };
    },
    open: async function* () {},
  };
  await createWaybill({ transport }).transaction(work);
  return sent;
}

/** Includes inherited methods. `command` belongs to the base class. */
function methodsOf(commands: object): string[] {
  const prototype = Object.getPrototypeOf(commands) as object;
  if (prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor' && name !== 'command');
  return [...own, ...methodsOf(prototype)];
}

const give = (commands: object, name: string): unknown =>
  (commands as Record<string, (...given: unknown[]) => unknown>)[name]!(
    {},
    name === 'changePolicy' ? { ifVersion: 1 } : {},
  );

const leaves = (command: Command, name = ''): string[] =>
  command.commands.length === 0
    ? [name]
    : command.commands.flatMap((each) => leaves(each, `${name} ${each.name()}`.trim()));
