import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ClaimedTask, PolicyChanges, TriggerDefinition } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { main } from '../../packages/cli/src/index.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

/**
 * Tasks and batches in the states that matter, at rest: only a command changes them. Every wrong input must be answered
 * with one error and leave all of this, and the log, as it is.
 */
const WORLD = 'world';
const TASKS = ['first', 'second', 'third', 'succeeded', 'failed', 'aborted', 'deleted', 'running', 'member'];
const BATCHES = ['planned', 'open', 'completed', 'broken', 'given-up', 'removed', 'needed'];
const IDS = Object.fromEntries([...TASKS, ...BATCHES, 'unknown', 'other', 'fresh'].map((name) => [name, uuidv7()]));
const TRIGGER: TriggerDefinition = { cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: WORLD } };

let service: RunningService;
let token: string;
beforeAll(async () => {
  service = await startService();
  await makeTasks();
  await makeBatches();
  await service.waybill.trigger('yearly').define(TRIGGER);
  await service.waybill.trigger('lost').define({ ...TRIGGER, task: { queue: 'nowhere' } });
  await service.waybill.queue('limited').define({ concurrency: 'serial' });
});
afterAll(() => service.stop());

const queue = () => service.waybill.queue(WORLD);
const task = (name: string) => service.waybill.task(IDS[name]!);
const add = (name: string, more: object = {}) => queue().enqueue(null, { id: IDS[name]!, ...more });

/** Runs the task alone, and ends it. */
async function run(name: string, verdict: 'succeed' | 'fail'): Promise<void> {
  const { taskId, token: proof } = await claim(name);
  const error = { message: 'disk full' };
  await service.waybill.settle([
    { taskId, token: proof, verdict: verdict === 'fail' ? { type: 'fail', error } : { type: 'succeed' } },
  ]);
}

async function claim(name: string): Promise<ClaimedTask> {
  await task(name).prioritise(100);
  const [claimed] = await queue().claim({ worker: 'w1', leaseMs: 3_600_000, waitMs: 30_000 });
  expect(claimed!.taskId).toBe(IDS[name]);
  return claimed!;
}

async function makeTasks(): Promise<void> {
  const policy: PolicyChanges = { onFailure: 'fail' };
  await queue().define(policy);
  await add('first');
  await add('second', { after: [{ task: IDS['first'] }] });
  await add('third', { after: [{ task: IDS['second'] }] });
  for (const name of ['succeeded', 'failed', 'aborted', 'deleted', 'running']) await add(name);
  await run('succeeded', 'succeed');
  await run('failed', 'fail');
  await task('aborted').abort();
  await task('deleted').delete();
  ({ token } = await claim('running'));
}

async function makeBatches(): Promise<void> {
  for (const name of BATCHES) await service.waybill.planBatch({ id: IDS[name]!, name }).create();
  const batch = (name: string) => service.waybill.batch(IDS[name]!);
  await add('member', { batch: IDS['open'], hold: {} });
  await batch('open').open(1);
  await batch('completed').open(0);
  const { id } = await queue().enqueue(null, { batch: IDS['broken']! });
  IDS['broken member'] = id;
  await batch('broken').open(1);
  await run('broken member', 'fail');
  await batch('given-up').abort();
  await batch('removed').delete();
  await queue().enqueue(null, { after: [{ batch: IDS['needed']! }] });
  for (const [name, state] of Object.entries({ completed: 'completed', broken: 'failed' }))
    await until(`batch '${name}' to be ${state}`, async () => (await batch(name).get()).state === state || null);
  await until('the sweeper to carry everything out', async () => {
    const { rows } = await service.pool.query('select from consequences');
    return rows.length === 0 || null;
  });
}

/** What commands can change. Followers' tables come later by themselves. */
const TABLES = `tasks prerequisites waiting ready leases task_leases consequences batches triggers system holds queues
  task_progress key_slots waybill_outbox quarantined failing_items`
  .split(/\s+/)
  .map((name) => `select '${name}' as name, jsonb_agg(to_jsonb(t) order by to_jsonb(t)) as rows from ${name} t`);

async function everything(): Promise<unknown> {
  const { rows } = await service.pool.query(TABLES.join(' union all '));
  const events: string[] = [];
  for await (const { stream, revision, type } of service.waybill.events()) events.push(`${stream}@${revision} ${type}`);
  return { rows, events };
}

interface Answered {
  readonly status: number;
  readonly body: any;
}

async function send(request: string, body?: unknown): Promise<Answered> {
  const [method, path] = request.split(' ') as [string, string];
  const url = service.url + path.replace(/\{([\w-]+)\}/g, (_, name: string) => IDS[name]!);
  const payload = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: bodyOf(body) };
  const response = await fetch(url, { method, ...payload });
  return { status: response.status, body: await response.json() };
}

/** The JSON, in which `{name}` is the id of the task or batch. */
const bodyOf = (body: unknown): string =>
  JSON.stringify(body).replace(/\{([\w-]+)\}/g, (_, name: string) => (name === 'token' ? token : IDS[name]!));

type Wrong = readonly [request: string, body: unknown, status: number, code: string];

const ENQUEUE = `POST /v1/queues/${WORLD}/tasks`;
const OPERATE = 'POST /v1/operations';
const TRANSACT = 'POST /v1/transactions';
const DEFINE = 'PUT /v1/triggers/new';
const ARRANGE = 'POST /v1/tasks/{second}/prerequisites';
const REPORT = 'POST /v1/tasks/{running}/extend';
const BAR = { title: 'a', start: 0, end: 1, position: 0 };

const many = <T>(count: number, one: (name: string) => T): T[] => Array.from({ length: count }, (_, n) => one(`${n}`));

const WRONG: readonly Wrong[] = [
  // Prerequisites.
  [ENQUEUE, { after: [{ task: '{unknown}' }] }, 422, 'PREREQUISITE_NOT_FOUND'],
  [ENQUEUE, { after: [{ batch: '{unknown}' }] }, 422, 'PREREQUISITE_NOT_FOUND'],
  [ENQUEUE, { after: [{ batch: '{first}' }] }, 422, 'PREREQUISITE_NOT_FOUND'],
  [ENQUEUE, { after: [{ task: '{open}' }] }, 422, 'PREREQUISITE_NOT_FOUND'],
  [ENQUEUE, { after: [{ task: '{first}' }, { task: '{aborted}' }] }, 409, 'PREREQUISITE_DEAD'],
  [ENQUEUE, { after: [{ task: '{deleted}' }] }, 409, 'PREREQUISITE_DEAD'],
  [ENQUEUE, { after: [{ task: '{deleted}', ignore: true }] }, 409, 'PREREQUISITE_DEAD'],
  [ENQUEUE, { after: [{ batch: '{given-up}' }] }, 409, 'PREREQUISITE_DEAD'],
  [ENQUEUE, { after: [{ batch: '{removed}' }] }, 409, 'PREREQUISITE_DEAD'],
  [ENQUEUE, { id: '{fresh}', after: [{ task: '{fresh}' }] }, 409, 'PREREQUISITE_CYCLE'],
  [ENQUEUE, { after: [{}] }, 400, 'INVALID_INPUT'],
  [ENQUEUE, { after: [{ task: '{first}', batch: '{open}' }] }, 400, 'INVALID_INPUT'],
  [ENQUEUE, { after: [{ task: 'first' }] }, 400, 'INVALID_INPUT'],
  [ENQUEUE, { after: [{ task: '{first}', ignore: 'yes' }] }, 400, 'INVALID_INPUT'],
  [ENQUEUE, { after: '{first}' }, 400, 'INVALID_INPUT'],
  [ENQUEUE, { after: ['{first}'] }, 400, 'INVALID_INPUT'],
  [ENQUEUE, { after: many(10_001, () => ({ task: '{first}' })) }, 400, 'INVALID_INPUT'],
  ['POST /v1/tasks/{first}/prerequisites', { add: [{ task: '{third}' }] }, 409, 'PREREQUISITE_CYCLE'],
  ['POST /v1/tasks/{first}/prerequisites', { add: [{ task: '{unknown}' }] }, 422, 'PREREQUISITE_NOT_FOUND'],
  ['POST /v1/tasks/{first}/prerequisites', { add: [{ batch: '{third}' }] }, 422, 'PREREQUISITE_NOT_FOUND'],
  ['POST /v1/tasks/{first}/prerequisites', { add: [{ task: '{aborted}' }] }, 409, 'PREREQUISITE_DEAD'],
  ['POST /v1/tasks/{first}/prerequisites', { add: [{ task: '{first}' }] }, 409, 'PREREQUISITE_CYCLE'],
  [ARRANGE, { add: [{ task: '{first}' }], waive: ['{first}'] }, 400, 'INVALID_INPUT'],
  [ARRANGE, {}, 400, 'INVALID_INPUT'],
  [ARRANGE, { waive: ['first'] }, 400, 'INVALID_INPUT'],
  ['POST /v1/tasks/{member}/prerequisites', { add: [{ batch: '{open}' }] }, 409, 'PREREQUISITE_CYCLE'],
  ['POST /v1/tasks/{running}/prerequisites', { add: [{ task: '{first}' }] }, 409, 'ILLEGAL_TRANSITION'],
  ['POST /v1/tasks/{succeeded}/prerequisites', { add: [{ task: '{first}' }] }, 409, 'ILLEGAL_TRANSITION'],
  ['POST /v1/tasks/{aborted}/prerequisites', { add: [{ task: '{first}' }] }, 409, 'ILLEGAL_TRANSITION'],
  ['POST /v1/tasks/{unknown}/prerequisites', { add: [{ task: '{first}' }] }, 404, 'TASK_NOT_FOUND'],
  ['DELETE /v1/tasks/{first}', undefined, 409, 'TASK_AWAITED'],
  ['GET /v1/tasks/{unknown}/graph', undefined, 404, 'TASK_NOT_FOUND'],
  ['GET /v1/tasks/{first}/graph?depth=0', undefined, 400, 'INVALID_INPUT'],
  [ENQUEUE, { id: '{planned}' }, 409, 'TASK_EXISTS'],
  [ENQUEUE, { id: '{planned}', key: 'k' }, 409, 'TASK_EXISTS'],
  ['POST /v1/tasks/start', { queue: WORLD, worker: 'w', id: '{planned}' }, 409, 'TASK_EXISTS'],
  ['GET /v1/tasks/{planned}', undefined, 404, 'TASK_NOT_FOUND'],
  ['POST /v1/tasks/{planned}/hold', {}, 404, 'TASK_NOT_FOUND'],
  ['POST /v1/tasks/{planned}/prerequisites', { add: [{ task: '{first}' }] }, 404, 'TASK_NOT_FOUND'],
  ['GET /v1/tasks/{planned}/graph', undefined, 404, 'TASK_NOT_FOUND'],
  ['GET /v1/tasks/{planned}/why', undefined, 404, 'TASK_NOT_FOUND'],
  ['POST /v1/batches/{first}/abort', {}, 404, 'BATCH_NOT_FOUND'],
  ['DELETE /v1/batches/{first}', undefined, 404, 'BATCH_NOT_FOUND'],
  ['POST /v1/batches/{first}/open', { tasks: 0 }, 404, 'BATCH_NOT_FOUND'],
  ['GET /v1/batches/{first}', undefined, 404, 'BATCH_NOT_FOUND'],
  ['POST /v1/batches', { id: '{first}', name: 'another' }, 409, 'BATCH_EXISTS'],
  ['POST /v1/batches', { id: '{succeeded}', name: 'another' }, 409, 'BATCH_EXISTS'],
  [ENQUEUE, { id: '{removed}', after: [{ task: '{first}' }] }, 409, 'TASK_EXISTS'],
  [TRANSACT, { commands: [{ operation: 'enqueueTask', queue: WORLD, body: { id: '{open}' } }] }, 409, 'TASK_EXISTS'],
  // Batches.
  ['POST /v1/batches', {}, 400, 'INVALID_INPUT'],
  ['POST /v1/batches', { name: '' }, 400, 'INVALID_INPUT'],
  ['POST /v1/batches', { id: '7', name: 'x' }, 400, 'INVALID_INPUT'],
  ['POST /v1/batches', { name: 'x', tasks: [] }, 400, 'INVALID_INPUT'],
  ['POST /v1/batches', { id: '{planned}', name: 'another' }, 409, 'BATCH_EXISTS'],
  [ENQUEUE, { batch: '{unknown}' }, 404, 'BATCH_NOT_FOUND'],
  [ENQUEUE, { batch: '{completed}' }, 409, 'BATCH_ENDED'],
  [ENQUEUE, { batch: '{broken}' }, 409, 'BATCH_ENDED'],
  [ENQUEUE, { batch: '{given-up}' }, 409, 'BATCH_ENDED'],
  [ENQUEUE, { batch: '{removed}' }, 409, 'BATCH_ENDED'],
  [ENQUEUE, { batch: '{planned}', after: [{ batch: '{planned}' }] }, 409, 'PREREQUISITE_CYCLE'],
  ['POST /v1/tasks/start', { queue: WORLD, worker: 'w', batch: '{open}' }, 400, 'INVALID_INPUT'],
  ['POST /v1/batches/{planned}/open', { tasks: 1 }, 409, 'BATCH_INCOMPLETE'],
  ['POST /v1/batches/{open}/open', { tasks: 2 }, 409, 'BATCH_INCOMPLETE'],
  ['POST /v1/batches/{planned}/open', {}, 400, 'INVALID_INPUT'],
  ['POST /v1/batches/{planned}/open', undefined, 400, 'INVALID_INPUT'],
  ['POST /v1/batches/{planned}/open', { tasks: -1 }, 400, 'INVALID_INPUT'],
  ['POST /v1/batches/{planned}/open', { tasks: 1.5 }, 400, 'INVALID_INPUT'],
  ['POST /v1/batches/{completed}/open', { tasks: 1 }, 409, 'BATCH_INCOMPLETE'],
  ['POST /v1/batches/{removed}/open', { tasks: 0 }, 409, 'BATCH_ILLEGAL_TRANSITION'],
  ['POST /v1/batches/{unknown}/open', { tasks: 0 }, 404, 'BATCH_NOT_FOUND'],
  ['POST /v1/batches/{completed}/abort', {}, 409, 'BATCH_ILLEGAL_TRANSITION'],
  ['POST /v1/batches/{removed}/abort', {}, 409, 'BATCH_ILLEGAL_TRANSITION'],
  ['POST /v1/batches/{unknown}/abort', {}, 404, 'BATCH_NOT_FOUND'],
  ['POST /v1/batches/{open}/abort', { force: true }, 400, 'INVALID_INPUT'],
  ['DELETE /v1/batches/{needed}', undefined, 409, 'BATCH_AWAITED'],
  ['DELETE /v1/batches/{unknown}', undefined, 404, 'BATCH_NOT_FOUND'],
  ['GET /v1/batches/{unknown}', undefined, 404, 'BATCH_NOT_FOUND'],
  ['GET /v1/batches/{unknown}/graph', undefined, 404, 'BATCH_NOT_FOUND'],
  ['GET /v1/batches/7', undefined, 400, 'INVALID_INPUT'],
  ['GET /v1/batches?state=done', undefined, 400, 'INVALID_INPUT'],
  ['GET /v1/tasks?batch=7', undefined, 400, 'INVALID_INPUT'],
  // Triggers.
  [DEFINE, {}, 400, 'INVALID_INPUT'],
  [DEFINE, { ...TRIGGER, cron: '* * * *' }, 422, 'CRON_INVALID'],
  [DEFINE, { ...TRIGGER, cron: '61 * * * *' }, 422, 'CRON_INVALID'],
  [DEFINE, { ...TRIGGER, cron: '0 0 30 2 *' }, 422, 'CRON_INVALID'],
  [DEFINE, { ...TRIGGER, timeZone: 'Mars/Olympus' }, 422, 'CRON_INVALID'],
  [DEFINE, { ...TRIGGER, missed: 'all' }, 400, 'INVALID_INPUT'],
  [DEFINE, { ...TRIGGER, task: {} }, 400, 'INVALID_INPUT'],
  [DEFINE, { ...TRIGGER, task: { queue: WORLD, dueAt: '2030-01-01T00:00:00Z' } }, 400, 'INVALID_INPUT'],
  [DEFINE, { ...TRIGGER, task: { queue: 'waybill.operations' } }, 403, 'QUEUE_RESERVED'],
  ['PUT /v1/triggers/-x', TRIGGER, 400, 'INVALID_INPUT'],
  ['PUT /v1/triggers/yearly', { ...TRIGGER, cron: 'yearly' }, 422, 'CRON_INVALID'],
  ['POST /v1/triggers/new/fire', {}, 404, 'TRIGGER_NOT_FOUND'],
  ['POST /v1/triggers/yearly/fire', { id: '7' }, 400, 'INVALID_INPUT'],
  ['POST /v1/triggers/lost/fire', {}, 404, 'QUEUE_NOT_FOUND'],
  ['POST /v1/triggers/new/enable', {}, 404, 'TRIGGER_NOT_FOUND'],
  ['POST /v1/triggers/new/disable', {}, 404, 'TRIGGER_NOT_FOUND'],
  ['POST /v1/triggers/yearly/disable', { now: true }, 400, 'INVALID_INPUT'],
  ['DELETE /v1/triggers/new', undefined, 404, 'TRIGGER_NOT_FOUND'],
  ['GET /v1/triggers/new', undefined, 404, 'TRIGGER_NOT_FOUND'],
  // Drain.
  ['POST /v1/system/drain', { intake: 'shut' }, 400, 'INVALID_INPUT'],
  ['POST /v1/system/drain', { running: 'kill' }, 400, 'INVALID_INPUT'],
  ['POST /v1/system/drain', { reason: '' }, 400, 'INVALID_INPUT'],
  ['POST /v1/system/drain', { cancel: true }, 400, 'INVALID_INPUT'],
  ['POST /v1/system/resume', { stopped: 'no' }, 400, 'INVALID_INPUT'],
  // Operations.
  [OPERATE, { command: 'retry' }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'succeed', all: true }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', filter: {} }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', all: false }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', tasks: [] }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', tasks: ['7'] }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', tasks: many(501, () => uuidv7()) }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', all: true, filter: { queue: WORLD } }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', filter: { colour: 'red' } }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', filter: { state: 'lost' } }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', filter: { label: 'team' } }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', filter: { batch: '7' } }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'prioritise', all: true }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', all: true, priority: 1 }, 400, 'INVALID_INPUT'],
  [OPERATE, { command: 'retry', filter: { key: 'none' } }, 422, 'NO_TASK_MATCHES'],
  [OPERATE, { command: 'retry', filter: { batch: '{unknown}' } }, 422, 'NO_TASK_MATCHES'],
  [OPERATE, { command: 'retry', filter: { queue: 'nowhere' } }, 404, 'QUEUE_NOT_FOUND'],
  [OPERATE, { command: 'delete', tasks: ['{unknown}'] }, 422, 'NO_TASK_MATCHES'],
  // Progress.
  [REPORT, { token: '{token}', progress: [{ title: 'a' }] }, 400, 'INVALID_INPUT'],
  [REPORT, { token: '{token}', progress: [{ ...BAR, title: '' }] }, 400, 'INVALID_INPUT'],
  [REPORT, { token: '{token}', progress: [{ ...BAR, end: '9' }] }, 400, 'INVALID_INPUT'],
  [REPORT, { token: '{token}', progress: [BAR, { ...BAR, position: 1 }] }, 400, 'INVALID_INPUT'],
  [REPORT, { token: '{token}', progress: many(51, (title) => ({ ...BAR, title })) }, 400, 'INVALID_INPUT'],
  [REPORT, { token: '1.0', progress: [] }, 409, 'LEASE_LOST'],
  // Functions.
  ['POST /v1/tasks/start', { queue: 'nowhere', worker: 'w' }, 404, 'QUEUE_NOT_FOUND'],
  ['POST /v1/tasks/start', { queue: 'limited', worker: 'w' }, 409, 'START_NOT_ALLOWED'],
  ['POST /v1/tasks/start', { queue: WORLD }, 400, 'INVALID_INPUT'],
  ['POST /v1/tasks/start', { queue: WORLD, worker: 'w', after: [{ task: '{first}' }] }, 400, 'INVALID_INPUT'],
  ['POST /v1/tasks/start', { queue: WORLD, worker: 'w', id: '{succeeded}' }, 409, 'TASK_EXISTS'],
];

describe('a request', () => {
  const titled = WRONG.map(([request, body, ...expected]) => {
    const title = `${request} ${JSON.stringify(body) ?? ''}`.slice(0, 160);
    return [title, { request, body, expected }] as const;
  });

  it.each(titled)('%s is answered with one error, and changes nothing', async (_, { request, body, expected }) => {
    const before = await everything();
    const { status, body: problem } = await send(request, body);
    expect([status, problem.code]).toEqual(expected);
    expect(problem.detail).toMatch(/^Expected .+, but.+/);
    expect(await everything()).toEqual(before);
  });
});

const WRONG_LINES: readonly (readonly [line: string, code: number, says: RegExp])[] = [
  ['enqueue world --after {unknown}', 1, /^PREREQUISITE_NOT_FOUND: .*{unknown}/],
  ['enqueue world --after {aborted}', 1, /^PREREQUISITE_DEAD: .*{aborted}.* aborted/],
  ['enqueue world --after-batch {removed}', 1, /^PREREQUISITE_DEAD: .*{removed}.* deleted/],
  ['enqueue world --after first', 1, /^INVALID_INPUT: \S*\/after\/0\/task: Expected a UUID/],
  ['enqueue world --batch {completed}', 1, /^BATCH_ENDED: .*{completed}.* completed/],
  ['enqueue world --batch {unknown}', 1, /^BATCH_NOT_FOUND: .*{unknown}/],
  ['task arrange {first}', 1, /INVALID_INPUT: Expected prerequisites to 'add' or to 'waive', but got none/],
  ['task arrange --after {third} {first}', 1, /PREREQUISITE_CYCLE: .*{first} would wait for {third}/],
  ['task arrange --after {first} --waive {first} {second}', 1, /INVALID_INPUT: .*is in both/],
  ['task graph {unknown}', 1, /^TASK_NOT_FOUND: /],
  ['enqueue world --after-batch {first}', 1, /^PREREQUISITE_NOT_FOUND: .*{first}' is a task: name it as 'task'/],
  ['enqueue world --after {open}', 1, /^PREREQUISITE_NOT_FOUND: .*{open}' is a batch: name it as 'batch'/],
  ['task delete {first}', 1, /TASK_AWAITED: .*{second}/],
  ['batch create', 2, /missing required argument 'name'/],
  ['batch create another --id {planned}', 1, /^BATCH_EXISTS: /],
  ['batch open {planned} all', 2, /Expected a whole number/],
  ['batch open {planned} 1', 1, /^BATCH_INCOMPLETE: .* 1 tasks, but it has 0/],
  ['batch open {given-up} 0', 1, /^BATCH_ILLEGAL_TRANSITION: .*aborted/],
  ['batch abort {completed}', 1, /^BATCH_ILLEGAL_TRANSITION: .*completed/],
  ['batch delete {needed}', 1, /^BATCH_AWAITED: /],
  ['batch show {unknown}', 1, /^BATCH_NOT_FOUND: /],
  ['batch graph {unknown}', 1, /^BATCH_NOT_FOUND: /],
  ['batches --state done', 2, /Expected one of planning, running/],
  ['trigger schedule new \'* * * *\' {"queue":"world"}', 1, /^CRON_INVALID: .*five parts/],
  ["trigger schedule new '0 0 1 1 *' {}", 1, /^INVALID_INPUT: \S*\/task\/queue: /],
  ["trigger schedule new '0 0 1 1 *' world", 2, /Expected JSON, such as/],
  ['trigger schedule new \'0 0 1 1 *\' {"queue":"world"} --missed all', 2, /Expected one of each, latest, skip/],
  [
    'trigger schedule new \'0 0 1 1 *\' {"queue":"world"} --time-zone Mars/Olympus',
    1,
    /^CRON_INVALID: .*'Mars\/Olympus' is no time zone/,
  ],
  ['trigger fire new', 1, /^TRIGGER_NOT_FOUND: /],
  ['trigger enable new', 1, /^TRIGGER_NOT_FOUND: /],
  ['trigger delete new', 1, /^TRIGGER_NOT_FOUND: /],
  ['drain now', 2, /too many arguments/],
  ['drain --kill', 2, /unknown option '--kill'/],
  ['task retry --filter key=none --yes', 1, /^NO_TASK_MATCHES: .*nothing was changed/],
  ['task retry --filter queue=nowhere --yes', 1, /^QUEUE_NOT_FOUND: /],
];

describe('a command line', () => {
  const named = (text: string): string => text.replace(/\{([\w-]+)\}/g, (whole, name: string) => IDS[name] ?? whole);

  it.each(WRONG_LINES)(
    '%s is answered with one error, and changes nothing (exit code %d)',
    async (line, code, says) => {
      const before = await everything();
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const said = Promise.all([text(stdout), text(stderr)]);
      const words = Array.from(named(line).matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!);
      const terminal = stdout as unknown as NodeJS.WriteStream;
      const env = { WAYBILL_URL: service.url };
      const exit = await main(words, { stdin: Readable.from([]), stdout: terminal, stderr, env });
      for (const stream of [stdout, stderr]) stream.end();
      const [out, err] = await said;
      expect({ exit, out }).toEqual({ exit: code, out: '' });
      expect(err).toMatch(new RegExp(named(says.source)));
      expect(await everything()).toEqual(before);
    },
  );
});
