import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ApiKeys, faultIn, PERMISSIONS } from '../../src/api/access/api-keys.js';
import { readConfig } from '../../src/bootstrap/config.js';
import type { ClaimedTask } from '@waybill/client';
import type { Command } from 'commander';
import { main } from '../../packages/cli/src/index.js';
import { programFor } from '../../packages/cli/src/program.js';
import { cliOutput, jsonLines, type Ran, runCli, wordsIn } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'packages/cli/bin/waybill.js');

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const waybill = (args: string, stdin?: string, more?: NodeJS.ProcessEnv): Promise<Ran> =>
  runCli(service.url, args, stdin, more);
const ok = (args: string, stdin?: string): Promise<string> => cliOutput(service.url, args, stdin);
const json = async (args: string, stdin?: string): Promise<any[]> => jsonLines(await ok(`${args} --json`, stdin));

let queues = 0;
async function newQueue(policy = '{}'): Promise<string> {
  const name = `cli-${++queues}`;
  await ok(`queue define ${name} --policy '${policy}' --description 'for a test'`);
  return name;
}

async function newTask(queue: string, more = ''): Promise<string> {
  const [{ id }] = await json(`enqueue ${queue} '{"to":"ann"}' ${more}`);
  return id as string;
}

async function claimed(queue: string): Promise<{ taskId: string; token: string }> {
  const [claimedTask] = await service.waybill.queue(queue).claim({ worker: 'w1', waitMs: 60_000 });
  return { taskId: claimedTask!.taskId, token: claimedTask!.token };
}

/** The first output of a program that follows the events, while `goOn` makes something happen repeatedly. */
async function firstEvent(options: string, goOn = async () => {}): Promise<any> {
  const env = { ...process.env, WAYBILL_URL: service.url };
  const child = spawn(process.execPath, [PROGRAM, 'events', '--json', ...wordsIn(options)], { env });
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  try {
    return await until('an event', async () => {
      await goOn();
      return out.includes('\n') ? JSON.parse(out.split('\n')[0]!) : null;
    });
  } finally {
    child.kill('SIGTERM');
  }
}

describe('queues', () => {
  it('are listed with the counts of their tasks', async () => {
    const queue = await newQueue();
    await newTask(queue);
    const { position } = await service.waybill.queue(queue).enqueue({});
    await service.caughtUp('queue-stats', position);
    const table = await ok('queues');
    expect(table).toMatch(
      /^queue +state +pending +running +held +undecided +failed +succeeded +longest wait +longest run$/m,
    );
    expect(table).toMatch(new RegExp(`^${queue} +active, no worker +2 +0 +0 +0 +0 +0 +[\\d.]+ m?s +-$`, 'm'));
    expect((await json('queues')).find(({ name }) => name === queue)).toMatchObject({
      state: 'active',
      stats: { counts: { pending: 2 } },
    });
  });

  it("take no room from others if they are the service's own, and their tasks are listed only if asked for", async () => {
    const queue = await newQueue();
    const own = await service.waybill.deliver({ mail: { to: ['ann@example.com'], subject: 'Hello', text: 'Hello' } });
    const id = await newTask(queue);
    const all = await json('queues --limit 500');
    const others = all.filter(({ internal }) => !internal);
    expect(all.map(({ name }) => name)).toEqual([...others.map(({ name }) => name), 'waybill.mail']);
    expect((await json('queues --limit 1')).map(({ name }) => name)).toEqual([others[0].name, 'waybill.mail']);
    const tasks = async (options: string) => (await json(`tasks --limit 500 ${options}`)).map((task) => task.id);
    expect(await tasks('')).toContain(id);
    expect(await tasks('')).not.toContain(own.id);
    expect(await tasks('--internal')).toEqual([own.id]);
    expect(await tasks('--queue waybill.mail')).toEqual([own.id]);
  });

  it('show if no worker has ever asked for their tasks', async () => {
    const queue = await newQueue();
    const { position } = await service.waybill.queue(queue).enqueue({});
    await service.caughtUp('queue-stats', position);
    expect(await ok(`queue show ${queue}`)).toMatch(/^workers +no worker has claimed from this queue yet$/m);
  });

  it('are defined once: a repeated definition keeps them, and differences are shown', async () => {
    const queue = `cli-${++queues}`;
    const define = `queue define ${queue} --policy '{"maxLost":7}'`;
    expect(await ok(define)).toBe(`✓ ${queue}  created; policy version 1\n`);
    await ok(`queue change ${queue} '{"maxLost":9}'`);
    await ok(`queue pause ${queue} --reason lunch`);
    await ok(`queue close-intake ${queue} --reason full`);
    expect(await waybill(define)).toEqual({
      code: 0,
      out: `✓ ${queue}  already exists and stays unchanged; policy version 2\n`,
      err:
        'It differs from your definition in: maxLost. Use --replace to change it.\n' +
        'ann paused it: lunch.\nann closed its intake: full.\n',
    });
    expect(await ok(`${define} --replace`)).toBe(`✓ ${queue}  replaced; policy version 3\n`);
    expect(await json(define)).toMatchObject([{ outcome: 'kept', differences: [], state: 'paused', policyVersion: 3 }]);
    await ok(`queue finish ${queue}`);
    expect((await waybill(define)).err).toBe('It is finished.\nann closed its intake: full.\n');
  });

  it('have limits for single values of a label, which are listed', async () => {
    const queue = await newQueue();
    await ok(`limit set ${queue} customer --max-running 2`);
    expect(await ok(`limit set ${queue} customer=acme 100/10m --burst 20 --reason 'acme pays'`)).toContain('recorded');
    expect(await ok(`limit list ${queue}`)).toMatch(
      /^Each other value of 'customer': 2 running\.\n\n.*next start\s*\nacme +yes +0 +2 +100\/10m, 20 at once +now *\n$/,
    );
    const rate = { starts: 100, perMs: 600_000, burst: 20 };
    expect((await service.waybill.queue(queue).get()).policy.perLabel?.values).toEqual([{ value: 'acme', rate }]);
    await ok(`limit unset ${queue} customer=acme`);
    await ok(`limit unset ${queue} customer`);
    expect(await ok(`limit list ${queue}`)).toBe('The queue limits the values of no label.\n');
    for (const wrong of ['customer=acme', 'customer=acme fast', 'customer --burst 3 --max-running 1', '=acme 5/s'])
      expect(await waybill(`limit set ${queue} ${wrong}`)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Expected'),
      });
  });

  it('are opened and closed, with the user as the actor', async () => {
    const queue = await newQueue();
    expect(await ok(`queue pause ${queue} --reason lunch --until 2099-01-01`)).toMatch(
      new RegExp(`^✓ ${queue}  recorded at position \\d+\\n$`),
    );
    expect(await ok(`queue pause ${queue} --reason lunch --until 2099-01-01`)).toContain('already done');
    await ok(`queue close-intake ${queue} --reason full`);
    const shown = await ok(`queue show ${queue}`);
    expect(shown).toMatch(/^state +paused$/m);
    expect(shown).toMatch(/^paused by +ann$/m);
    expect(shown).toMatch(/^until +2099-01-01T00:00:00.000Z$/m);
    expect(shown).toMatch(/^intake +closed by ann: full$/m);
    for (const step of ['resume', 'open-intake', 'finish', 'reopen', 'delete']) await ok(`queue ${step} ${queue}`);
    const history = await json(`events --queue ${queue} --category queue`);
    expect(history.map(({ type, envelope }) => `${type} by ${envelope.actor}`)).toEqual(
      [
        'QueueDefined',
        'QueuePaused',
        'QueueIntakeClosed',
        'QueueResumed',
        'QueueIntakeOpened',
        'QueueFinished',
        'QueueReopened',
        'QueueDeleted',
      ].map((type) => `${type} by ann`),
    );
  });

  it('say which tasks leave their lists, by the policy or by days that are only tried', async () => {
    await ok(`queue define kept --policy '{"retention":{"deleted":3}}'`);
    const [task] = await json('enqueue kept');
    await ok(`task delete ${task.id}`);
    expect(await ok('queue retention kept')).toMatch(/in the archive +0[^]*deleted +3 +0/);
    const [view] = await json('queue retention kept --days deleted=0 --days failed=9');
    expect(view.states).toMatchObject([
      { state: 'failed', days: 9, tasks: 0 },
      { state: 'deleted', days: 0, tasks: 1, first: [task.id] },
    ]);
    expect(await waybill('queue retention kept --days deleted')).toMatchObject({
      code: 2,
      err: expect.stringContaining('succeeded=30'),
    });
    expect(await waybill('queue retention kept --days running=1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('running'),
    });
  });

  it('are defined and changed with a policy that may be in a file', async () => {
    const queue = `cli-${++queues}`;
    await ok(`queue define ${queue} --policy - --preset cluster-tasks`, '{"leaseMs": 5000}');
    await ok(`queue change ${queue} '{"maxRunning":2}'`);
    const [{ policy, policyVersion }] = await json(`queue show ${queue}`);
    expect({ policy, policyVersion }).toMatchObject({
      policy: { leaseMs: 5000, maxRunning: 2, preset: 'cluster-tasks' },
      policyVersion: 2,
    });
  });
});

describe('tasks', () => {
  it('shows a task, a queue and a list as they were', async () => {
    const queue = await newQueue();
    const id = await newTask(queue);
    const [{ position }] = await json(`task show ${id}`);
    await ok(`task cancel ${id}`);
    const then = `--as-of ${position}`;
    expect(await waybill(`task show ${id} ${then}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^state +pending$/m),
      err: expect.stringMatching(new RegExp(`^As of \\S+, position ${position}\\.$`, 'm')),
    });
    expect(await ok(`queue show ${queue} ${then}`)).toMatch(/^pending +1$/m);
    expect(await json(`tasks --queue ${queue} ${then}`)).toMatchObject([{ id, state: 'pending' }]);
    expect(await json(`tasks --queue ${queue} --state cancelled ${then}`)).toEqual([]);
    const future = await waybill(`task show ${id} --as-of 2999-01-01T00:00:00Z`);
    expect(future).toMatchObject({ code: 1, err: expect.stringContaining('in the future') });
  });

  it('shows holds, resources, triggers, batches and the drain as they were', async () => {
    const [queue, name] = [await newQueue(), `then-${Date.now()}`];
    await ok(`hold place ${name} --label collection=${name}`);
    await ok(`resource define ${name} --unit %`);
    await ok(`trigger schedule ${name} '0 0 1 1 *' '{"queue":"${queue}"}'`);
    const batch = (await ok(`batch create ${name} -q`)).trim();
    const [{ position }] = await json(`batch show ${batch}`);
    await ok(`hold lift ${name}`);
    await ok(`resource delete ${name}`);
    await ok(`trigger delete ${name}`);
    await ok(`batch delete ${batch}`);
    await ok(`queue pause ${queue}`);
    const then = `--as-of ${position}`;
    expect(await json(`hold show ${name} ${then}`)).toMatchObject([{ name, state: 'placed' }]);
    expect(await json(`resource show ${name} ${then}`)).toMatchObject([{ name, unit: '%' }]);
    expect(await json(`trigger show ${name} ${then}`)).toMatchObject([{ name, state: 'enabled' }]);
    expect(await json(`batch show ${batch} ${then}`)).toMatchObject([{ name, state: 'planning' }]);
    expect(await json(`batch reports ${batch} ${then}`)).toEqual([]);
    for (const list of ['holds', 'resources', 'triggers', 'batches', 'queues'])
      expect(await ok(`${list} --limit 1000 ${then}`)).toContain(list === 'queues' ? queue : name);
    for (const list of ['holds', 'resources', 'triggers', 'batches'])
      expect(await ok(`${list} --limit 1000`)).not.toContain(name);
    expect(await ok(`system ${then}`)).toMatch(/running/);
  });

  it('shows the history of a task up to a moment', async () => {
    const id = await newTask(await newQueue());
    const [{ position }] = await json(`task show ${id}`);
    await ok(`task cancel ${id}`);
    const types = async (options: string) => (await json(`task history ${id} ${options}`)).map(({ type }) => type);
    expect(await types(`--as-of ${position}`)).toEqual(['TaskEnqueued']);
    expect(await types('')).toEqual(['TaskEnqueued', 'TaskCancelled']);
    const following = await waybill(`task history ${id} --follow --as-of ${position}`);
    expect(following).toMatchObject({ code: 2, err: expect.stringContaining('--follow') });
  });

  it('print what their handlers said, and follow it to the end', async () => {
    const queue = await newQueue();
    const id = await newTask(queue);
    const silent = await waybill(`task log ${id}`);
    expect(silent).toMatchObject({ code: 0, out: '', err: 'Its handlers said nothing, or more than 14 days ago.\n' });
    const [claimed] = await service.waybill.queue(queue).claim({ worker: 'w1' });
    const { taskId, token } = claimed!;
    const at = '2026-11-28T14:00:00.000Z';
    const followed = ok(`task log ${id} --follow`);
    const log = [{ number: 1, at, level: 'warn' as const, text: 'slow', fields: { order: 7 } }];
    await service.waybill.extend([{ taskId, token, log }]);
    await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
    expect(await followed).toBe(`${at}  #1  warn   slow  {"order":7}\n`);
    expect(JSON.parse(await ok(`task log ${id} --json`))).toEqual({ ...log[0], attempt: 1 });
  });

  it('show their progress as bars, and lists the percentage', async () => {
    const queue = await newQueue();
    const id = await newTask(queue);
    const { token } = await claimed(queue);
    const progress = [
      { title: 'links', start: 0, end: 1_200, position: 600 },
      { title: 'sums', start: 10, end: 20, position: 10.5 },
    ];
    await service.waybill.extend([{ taskId: id, token, progress }]);
    const shown = await ok(`task show ${id}`);
    expect(shown).toMatch(/^progress +links {2}█{10}░{10} {2}600 of 1 200\n +sums {3}█░{19} {2}10.5 from 10 to 20$/m);
    expect(shown).toMatch(/^last heartbeat +\d{4}-/m);
    expect(await ok(`tasks --queue ${queue}`)).toMatch(/ 27 % /);
  });

  it('are listed by filters, and their ids can be piped', async () => {
    const queue = await newQueue();
    const blue = await newTask(queue, '--label team=blue --label x=y --key k --priority 3 --due 2099-01-01');
    const plain = await newTask(queue);
    expect(await ok(`tasks --queue ${queue} --quiet`)).toBe(`${blue}\n${plain}\n`);
    expect(await ok(`tasks --queue ${queue} --label team=blue --quiet`)).toBe(`${blue}\n`);
    expect(await ok(`tasks --queue ${queue} --key k`)).toMatch(
      new RegExp(`^${blue} +${queue} +pending +due +k +0 +- +- +\\S+Z +-$`, 'm'),
    );
    expect(await waybill(`tasks --queue ${queue} --limit 1 --quiet`)).toEqual({
      code: 0,
      out: `${blue}\n`,
      err: 'There are more than 1. Use --limit to show more.\n',
    });
    expect(await waybill(`tasks --queue ${queue} --state failed`)).toEqual({
      code: 0,
      out: '',
      err: `No task matches queue '${queue}', state 'failed'.\n`,
    });
  });

  it('are named by the ends of their ids, as narrow tables show them', async () => {
    const id = await newTask(await newQueue());
    const tail = id.slice(-8);
    for (const given of [tail, `…${tail}`])
      expect(await ok(`task show ${given}`)).toMatch(new RegExp(`^task +${id}$`, 'm'));
    expect(await ok(`task cancel ${tail}`)).toContain(id);
    expect(await waybill('task show …00000000')).toMatchObject({ code: 1, err: expect.stringContaining('00000000') });
  });

  it('are listed by several states, and since when they were enqueued', async () => {
    const queue = await newQueue();
    const [waiting, cancelled] = [await newTask(queue), await newTask(queue)];
    await ok(`task cancel ${cancelled}`);
    const listed = async (options: string) =>
      (await json(`tasks --queue ${queue} ${options}`)).map(({ id }) => id).sort();
    expect(await listed('--state pending,cancelled')).toEqual([waiting, cancelled].sort());
    expect(await listed('--state held,cancelled --since 1h')).toEqual([cancelled]);
    expect(await listed('--since 2099-01-01')).toEqual([]);
    expect(await waybill(`tasks --queue ${queue} --state pending,lost`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Expected one of the states .*but got 'lost'/),
    });
  });

  it('show in what they differ between two moments', async () => {
    const id = await newTask(await newQueue());
    const [{ position }] = await json(`task show ${id}`);
    await ok(`task cancel ${id} --reason enough`);
    const found = await json(`task diff ${id} ${position}`);
    expect(found).toContainEqual({ path: 'state', before: 'pending', after: 'cancelled' });
    expect(found.map(({ path }) => path)).not.toContain('payload');
    expect(await ok(`task diff ${id} ${position}`)).toMatch(/^state +pending +cancelled$/m);
    expect((await waybill(`task diff ${id} ${position} ${position}`)).err).toMatch(/The task is the same\.\n$/);
  });

  it('show the job that a trigger made for them, which shows them as its items', async () => {
    const [items, jobs] = [await newQueue(), await newQueue()];
    const id = await newTask(items);
    await ok(`trigger define ${items} '{"queue":"${items}","every":1,"task":{"queue":"${jobs}"}}'`);
    const { taskId: job } = await claimed(jobs);
    await ok(`trigger delete ${items}`);
    expect(await ok(`task show ${id}`)).toMatch(new RegExp(`^job +${job}$`, 'm'));
    expect(await ok(`task show ${job}`)).toMatch(new RegExp(`^items +${id}  running$`, 'm'));
  });

  it('are no longer made for due occurrences if their trigger is disabled, which names what it drops', async () => {
    const queue = await newQueue();
    const [DAY_MS, MINUTE_MS] = [86_400_000, 60_000];
    // Far from now, so that no occurrence becomes due meanwhile.
    const last = Math.floor((Date.now() - DAY_MS / 2) / MINUTE_MS) * MINUTE_MS;
    const [from, to] = [last - 2 * DAY_MS, last].map((time) => new Date(time));
    await service.waybill.system.drain({ intake: 'closed', running: 'finish' });
    await ok(`trigger schedule ${queue} '${to!.getUTCMinutes()} ${to!.getUTCHours()} * * *' '{"queue":"${queue}"}'`);
    await service.pool.query('update triggers set next_at = $1 where name = $2', [from, queue]);
    const { code, err } = await waybill(`trigger disable ${queue}`);
    await service.waybill.system.resume();
    const days = `3 occurrences from ${from!.toISOString()} to ${to!.toISOString()}`;
    expect([code, err]).toEqual([0, expect.stringContaining(`It dropped ${days}, which had made no task yet.\n`)]);
    expect((await waybill(`trigger delete ${queue}`)).err).not.toContain('It dropped');
  });

  it('show their steps and data, which can be changed, and are listed by step', async () => {
    const queue = await newQueue('{"steps":[{"name":"download","resumable":false},"checksum","record"]}');
    const id = await newTask(queue);
    await newTask(queue);
    const { taskId, token } = await claimed(queue);
    const done = { type: 'completeStep', step: 'download', then: 'continue', data: { bytes: 1, draft: true } } as const;
    const failed = { type: 'fail', error: { message: 'not whole' } } as const;
    await service.waybill.settle([done, failed].map((verdict) => ({ taskId, token, verdict })));
    await ok(`task data '{"bytes":4711,"draft":null}' ${id} --reason 'the server lied'`);
    const shown = await ok(`task show ${id}`);
    expect(shown).toMatch(
      /^steps +✓ download {2}done; no retry may begin here\n +✗ checksum {2}failed; a retry begins here\n +· record$/m,
    );
    expect(shown).toMatch(/^last step +download$/m);
    expect(shown).toMatch(/^finished +\S+Z$/m);
    expect(shown).not.toMatch(/ended/);
    expect(shown).toMatch(/^data +{"bytes":4711}$/m);
    expect(await ok(`tasks --queue ${queue} --step checksum --quiet`)).toBe(`${id}\n`);
    expect((await waybill(`tasks --queue ${queue} --step download`)).err).toBe(
      `No task matches queue '${queue}', step 'download'.\n`,
    );
    expect(await ok(`task retry --filter queue=${queue} --filter step=checksum --preview`)).toMatch(
      /^1 task matches\./,
    );
  });

  it('are shown with their history, and why they do not run', async () => {
    const queue = await newQueue();
    const id = await newTask(queue);
    await ok(`task hold ${id} --reason 'not yet'`);
    expect(await ok(`task why ${id}`)).toBe('ann is holding it: not yet.\n');
    await ok(`task release ${id}`);
    expect(await ok(`task why ${id}`)).toBe(
      'It is ready to run, but no worker claims from its queue. Start a worker.\nIt is number 1 in line.\n',
    );
    const { taskId, token } = await claimed(queue);
    const error = { class: 'business', message: 'no \u001b[31msuch\u0007 address' } as const;
    await service.as('w1').settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    const shown = await ok(`task show ${id}`);
    expect(shown).toMatch(/^state +failed$/m);
    expect(shown).toMatch(/^payload +\{"to":"ann"\}$/m);
    expect(shown).toMatch(/^error +business: no �\[31msuch� address$/m);
    const history = await ok(`task history ${id}`);
    expect(history.split('\n')[0]).toMatch(/^ +position time \(UTC\) +event +who +details$/);
    expect(history.split('\n')[1]).toMatch(/^ {11}\d{4}-\d\d-\d\d$/);
    expect(history).toContain('business: no �[31msuch� address');
    expect(history.split('\n').map((line) => line.trim().split(/ +/)[2])).toEqual([
      '(UTC)',
      undefined,
      'TaskEnqueued',
      'TaskHeld',
      'TaskReleased',
      'TaskClaimed',
      'TaskAttemptFailed',
      'TaskFailed',
      undefined,
    ]);
    expect((await json(`task history ${id}`)).map(({ type }) => type)).toHaveLength(6);
  });

  it('cannot forge output with their texts', async () => {
    const queue = await newQueue();
    const forged = 'oops\n  1 10:00:00.000  TaskSucceeded  ann\nstate  succeeded \u202edeen\u2028x\u009b31m';
    const id = await newTask(queue, `--description '${forged}'`);
    const { taskId, token } = await claimed(queue);
    const error = { class: 'bug', message: forged } as const;
    await service.as('w1').settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    const [, ...history] = (await ok(`task history ${id}`)).trimEnd().split('\n');
    expect(history.filter((line) => !/^ {5,}\d|^ {50}/.test(line))).toEqual([]);
    expect((await ok(`task show ${id}`)).match(/^state .*$/gm)).toEqual(['state        failed']);
    expect((await ok(`task show ${id}`)).match(/^ {13}state {2}succeeded �deen�x�31m$/gm)).toHaveLength(2);
    expect(await ok(`events --queue ${queue} --type TaskAttemptFailed`)).toMatch(/^.*bug: oops ⏎ 1 10:.*\n$/);
    expect((await ok(`task show ${id} --json`)).match(/[\u009b\u202e]/)).toBeNull();
    expect((await json(`task show ${id}`))[0]).toMatchObject({ description: forged });
    await ok(`queue close-intake ${queue} --reason '\u001b[31mred\u0007'`);
    expect((await waybill(`enqueue ${queue} 1`)).err).toContain("'ann' closed it: �[31mred�");
    expect((await waybill('task cancel \u001b[31m')).err).toContain('✗ �[31m  INVALID_INPUT');
  });

  it('show the stack of their error, which cannot forge output either', async () => {
    const queue = await newQueue();
    const id = await newTask(queue);
    const { taskId, token } = await claimed(queue);
    const stack = 'Error: m\n    at work \u001b[31m(mail.ts:1:1)\nstate  succeeded\nCaused by: x';
    const error = { class: 'bug', message: 'm', details: { stack, line: 3 } } as const;
    await service.as('w1').settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    const shown = await ok(`task show ${id}`);
    expect(shown).toMatch(/^error +bug: m$/m);
    expect(shown).toMatch(/^details +\{"line":3\}$/m);
    expect(shown).toMatch(
      /^stack {5}Error: m\n {14}at work �\[31m\(mail\.ts:1:1\)\n {10}state {2}succeeded\n {10}Caused by: x$/m,
    );
    expect((await json(`task show ${id}`))[0].error).toEqual(error);
    expect(await ok(`task history ${id}`)).not.toContain('mail.ts');
    expect(await ok(`task history ${id} --stacks`)).toMatch(
      /TaskAttemptFailed .*\n {13}Error: m\n {17}at work �\[31m\(mail\.ts:1:1\)\n {13}state {2}succeeded\n {13}Caused by: x\n +\d+ .*TaskFailed/,
    );
  });

  it('are operated in every possible way', async () => {
    const queue = await newQueue('{"onFailure":"decide","steps":["fetch","store"]}');
    const [id, running, aborted] = [await newTask(queue, '--priority 9'), await newTask(queue), await newTask(queue)];
    const fail = async (): Promise<void> => {
      const { taskId, token } = await claimed(queue);
      const error = { class: 'bug', message: 'broken' } as const;
      await service.as('w1').settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    };
    await ok(`task prioritise 12 ${id}`);
    await ok(`task amend '{"to":"bob"}' ${id}`);
    await ok(`task reschedule 2020-01-01 ${id}`);
    await ok(`task reschedule now ${id}`);
    await fail();
    await ok(`task decide retry ${id} --reason 'it may work now'`);
    await ok(`task cancel ${id} --reason 'no need'`);
    await ok(`task retry ${id} --step store --override`);
    await fail();
    await ok(`task decide fail ${id}`);
    await ok(`task delete ${id}`);
    await ok(`task abort ${aborted} --reason 'no more'`);
    expect((await json(`task show ${id}`))[0]).toMatchObject({
      state: 'deleted',
      payload: { to: 'bob' },
      priority: 12,
    });
    await claimed(queue);
    await ok(`task overrule succeed ${running} --reason 'it is there'`);
    expect((await json(`task show ${running}`))[0]).toMatchObject({ state: 'succeeded' });
    expect((await json(`task show ${aborted}`))[0]).toMatchObject({ state: 'aborted' });
    const by = new Set((await json(`task history ${id}`)).map(({ envelope }) => envelope.actor));
    expect(by).toEqual(new Set(['ann', 'w1']));
  });

  it('are operated many at a time, and a refusal does not affect the others', async () => {
    const queue = await newQueue();
    const ids = [await newTask(queue), await newTask(queue), await newTask(queue)];
    await ok(`task cancel ${ids[1]}`);
    const { code, out, err } = await waybill('task cancel -', `${ids.join('\n')}\nnonsense\n`);
    expect([code, out.match(/^✓/gm)?.length]).toEqual([1, 3]);
    expect(out).toContain(`${ids[1]}  already done`);
    expect(err).toMatch(/^✗ nonsense {2}INVALID_INPUT: /);
    expect(err).toMatch(/\n1 of 4 tasks were refused\.\n$/);
  });

  it('are claimed by hand, also by step, and settled', async () => {
    const queue = await newQueue();
    await service.waybill.queue(queue).define({ steps: ['download', 'store'] }, { replace: true });
    const none = await waybill(`claim ${queue} --step download`);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining(`No task of '${queue}' is ready.`) });
    const [done, failed] = [await newTask(queue), await newTask(queue)];
    const claimed = (await json(`claim ${queue} --step download --max 2 --lease 600`)) as ClaimedTask[];
    expect(claimed.map(({ taskId, step }) => [taskId, step])).toEqual([done, failed].map((id) => [id, 'download']));
    const [one, other] = claimed.map(({ taskId, token }) => `${taskId} ${token}`);
    expect(await ok(`settle ${one} --step download`)).toBe(`✓ ${done}  running\n`);
    expect(await ok(`settle ${one} --step store --data '{"files":2}'`)).toBe(`✓ ${done}  succeeded\n`);
    expect(await ok(`settle ${other} --error 'no such file' --class business`)).toBe(`✓ ${failed}  failed\n`);
    expect(await service.waybill.task(failed).get()).toMatchObject({
      error: { class: 'business', message: 'no such file' },
    });
    expect(await waybill(`settle ${one} --error late`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/./),
    });
    expect(await waybill(`settle ${one} --return --error no`)).toMatchObject({ code: 2 });
  });

  it('are enqueued, and awaited', async () => {
    const queue = await newQueue();
    const worker = service.waybill.worker({ logger: null }).handle(queue, ({ payload }) => {
      if (payload === 'bad') throw new Error('no');
    });
    await worker.start();
    expect((await waybill(`enqueue ${queue} '"good"' --wait 30`)).out).toMatch(/ {2}succeeded\n$/);
    expect(await waybill(`enqueue ${queue} - --wait 30 --json`, '"bad"')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/"state":"failed"\}\n$/),
    });
    await worker.stop();
    expect(await waybill(`enqueue ${queue} --wait 1`)).toMatchObject({
      code: 1,
      err: 'Expected the task to end within 1 s, but it is pending.\n',
    });
  });
});

it('prints the result of a task, waits for it, and lists those that it waited for', async () => {
  const queue = await newQueue('{"onFailure":"fail"}');
  const [first, second] = [await newTask(queue, '--reference pages'), await newTask(queue)];
  const last = await newTask(queue, `--after ${first} --after ${second}`);
  const settle = async (how: string) => {
    const { taskId, token } = await claimed(queue);
    await ok(`settle ${taskId} ${token} ${how}`);
  };
  const waits = ok(`task result ${first} --wait 60`);
  await settle(`--result '{"pages":3}'`);
  expect(await waits).toBe('{"pages":3}\n');
  await settle(`--error 'no such file' --class business`);
  expect(await waybill(`task result ${second}`)).toMatchObject({
    code: 1,
    err: `Expected task '${second}' of queue '${queue}' to succeed, but it is failed: business: no such file.\n`,
  });
  expect(await waybill(`task result ${last} --wait 1`)).toMatchObject({
    code: 1,
    err: `Expected task '${last}' of queue '${queue}' to end within 1000 ms, but it is still pending: its outcome is unknown.\n`,
  });
  expect(await ok(`task results ${last}`)).toMatch(new RegExp(`${first} +pages +succeeded +\\{"pages":3\\}\n`));
  expect(await json(`task results ${last}`)).toMatchObject([
    { id: first, result: { pages: 3 } },
    { id: second, result: null },
  ]);
});

it('prints the ids of what it makes alone for scripts', async () => {
  const ids = [await ok(`enqueue ${await newQueue()} --quiet`), await ok('batch create b --quiet')];
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}\n$/);
});

describe('a batch', () => {
  it('is created, filled, awaited by another task, and opened', async () => {
    const queue = await newQueue();
    const [{ id }] = await json("batch create 'delivery 17' --label customer=acme --description books");
    const first = await newTask(queue, `--batch ${id}`);
    const next = await newTask(queue, `--after-batch ${id}`);
    const later = await newTask(queue);
    await ok(`task arrange --after-batch ${id} ${later}`);
    expect((await json(`tasks --batch ${id}`)).map((task) => task.id)).toEqual([first]);
    expect(await ok(`task why ${next}`)).toContain(id);
    await ok(`batch open ${id} 1`);
    expect(await json(`batch show ${id}`)).toMatchObject([
      { name: 'delivery 17', description: 'books', labels: { customer: 'acme' }, state: 'running', total: 1 },
    ]);
    const { taskId, token } = await claimed(queue);
    expect(taskId).toBe(first);
    await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
    await service.waybill.batch(id).done();
    expect([(await claimed(queue)).taskId, (await claimed(queue)).taskId]).toEqual([next, later]);
  });

  it('lists what is open of it, by state, with the commands that end it, as why does for what waits for it', async () => {
    const queue = await newQueue('{"onFailure":"decide"}');
    const [{ id }] = await json('batch create parts');
    await newTask(queue, `--batch ${id}`);
    await ok(`task hold ${await newTask(queue, `--batch ${id}`)}`);
    await ok(`task cancel ${await newTask(queue, `--batch ${id}`)}`);
    await ok(`batch open ${id} 3`);
    const { taskId, token } = await claimed(queue);
    await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message: 'no' } } }]);
    const next = await newTask(queue, `--after-batch ${id}`);
    const open = [
      `1 cancelled of ${queue}: retry or abort`,
      `1 held of ${queue}: release or abort`,
      `1 undecided of ${queue}: decide retry or decide fail`,
    ];
    const lines = (await ok(`batch show ${id}`)).split('\n').map((line) => line.trim());
    expect(lines.slice(lines.findIndex((line) => line.startsWith('open ')) + 1)).toEqual(expect.arrayContaining(open));
    expect(await ok(`task why ${next}`)).toContain(`${id} (${['running', ...open].join('; ')})`);
  });

  it('that has no task is named in the answer', async () => {
    const nobody = '019a0000-0000-7000-8000-000000000000';
    expect((await waybill(`tasks --batch ${nobody}`)).err).toContain(`No task matches batch '${nobody}'.`);
  });
});

it('takes the options of every command behind those of the command', async () => {
  const queue = await newQueue();
  const id = await newTask(queue);
  const [{ id: batch }] = await json('batch create b');
  const commands = [
    `queue pause ${queue}`,
    `queue resume ${queue}`,
    `queue stats ${queue}`,
    `task hold ${id}`,
    `task release ${id}`,
    `task cancel ${id}`,
    `task retry ${id}`,
    `task prioritise 3 ${id}`,
    `batch open ${batch} 0`,
    `trigger schedule ${queue} '0 0 1 1 *' '{"queue":"${queue}"}'`,
    `trigger fire ${queue}`,
    `trigger delete ${queue}`,
  ];
  for (const command of commands)
    expect(JSON.parse(await ok(`${command} --json --actor bob --url ${service.url}`))).toEqual(expect.any(Object));
});

it('shows of a drain only what there is', async () => {
  const RUNNING = expect.stringMatching(
    /^\d+ tasks?( of the service itself)?(, and \d+ tasks? of the service itself)?$/,
  );
  const all = async () => (await ok('system')).split('\n').map((line) => line.split(/  +/));
  // Other tests here have mail that no server takes.
  const shown = async () => (await all()).filter(([name]) => name !== 'to mail');
  const SWEPT = ['last sweep', expect.stringMatching(/ ago$|^never$/)];
  const { eventStoreVersion } = await service.waybill.system.get();
  const EVENTS = eventStoreVersion === null ? [] : [['event store', `version ${eventStoreVersion}`]];
  expect(await shown()).toEqual([['state', 'running'], ['running', RUNNING], SWEPT, ...EVENTS, ['']]);
  await ok('drain --keep-intake --reason deploy');
  expect(await shown()).toEqual([
    ['state', 'draining'],
    ['since', expect.stringMatching(/, by ann$/)],
    ['reason', 'deploy'],
    ['quiet', expect.any(String)],
    ['new tasks', 'taken'],
    ['running', RUNNING],
    SWEPT,
    ...EVENTS,
    [''],
  ]);
  await ok('resume');
});

it('lists who leads, with the last round of its work', async () => {
  await until('a sweep to be told', async () => (await ok('system')).includes(' ago') || null);
  const lines = (await ok('leaders')).split('\n').map((line) => line.split(/  +/));
  expect(lines[0]).toEqual(['role', 'state', 'process', 'since', 'last round']);
  const sweeper = lines.find(([role]) => role === 'sweeper')!;
  expect(sweeper.slice(1)).toEqual([
    'leading',
    expect.stringMatching(/:\d+$/),
    expect.any(String),
    expect.stringMatching(/ ago$/),
  ]);
});

describe('the history of events', () => {
  it('is filtered by actor, which is not the user who reads it', async () => {
    const queue = await newQueue();
    await ok(`queue pause ${queue} --actor bob`);
    await ok(`--actor bob queue resume ${queue}`);
    const typesBy = async (options: string) =>
      (await json(`events --queue ${queue} ${options}`)).map(({ type }) => type);
    expect(await typesBy('--actor bob')).toEqual(['QueuePaused', 'QueueResumed']);
    expect(await typesBy('--actor ann')).toEqual(['QueueDefined']);
    expect((await json(`--actor zoe events --queue ${queue} --type QueuePaused`))[0].envelope.actor).toBe('bob');
  });

  it('is followed from now on, or from the requested start', async () => {
    const queue = await newQueue();
    const before = await newTask(queue);
    const later: string[] = [];
    const goOn = async () => void later.push(`task-${await newTask(queue)}`);
    expect(later).toContain((await firstEvent(`--queue ${queue} --follow`, goOn)).stream);
    expect((await firstEvent(`--queue ${queue} --type TaskEnqueued -f --since 1h`)).stream).toBe(`task-${before}`);
    expect((await firstEvent(`--queue ${queue} -f --after 0`)).stream).toBe(`queue-${queue}`);
  });

  it('is read from a time on, or for one task', async () => {
    const queue = await newQueue();
    const [one, other] = [await newTask(queue), await newTask(queue)];
    const streams = async (options: string) => (await json(`events ${options}`)).map(({ stream }) => stream);
    expect(await streams(`--queue ${queue} --since 10m --category task`)).toEqual([`task-${one}`, `task-${other}`]);
    expect(await streams(`--queue ${queue} --since 2099-01-01`)).toEqual([]);
    const { recordedAt } = (await json(`events --queue ${queue} --category task`)).at(-1);
    expect(await streams(`--queue ${queue} --since ${recordedAt}`)).toContain(`task-${other}`);
    expect(await streams(`--task ${other}`)).toEqual([`task-${other}`]);
  });

  it('of one task is followed until the task has ended', async () => {
    const queue = await newQueue();
    const id = await newTask(queue);
    const followed = waybill(`task history ${id} --follow`);
    const { taskId, token } = await claimed(queue);
    await service.as('w1').settle([{ taskId, token, verdict: { type: 'succeed' } }]);
    const { code, out } = await followed;
    expect(code).toBe(0);
    expect(out).toMatch(/TaskEnqueued .*\n.* TaskClaimed .*\n.* TaskSucceeded .*\n$/);
    expect(await ok(`task history ${id} -f`)).toBe(out);
  });

  it('repeats the filter if nothing matches', async () => {
    const queue = await newQueue();
    expect(await waybill(`events --queue ${queue} --actor 王小明 --type TaskFailed`)).toEqual({
      code: 0,
      out: '',
      err: `No event matches queue '${queue}', type 'TaskFailed', actor '王小明'.\n`,
    });
    expect(await waybill(`events --queue ${queue} --actor zoe --json`)).toEqual({ code: 0, out: '', err: '' });
  });
});

it('shows the workers, and the lag of the read models', async () => {
  const queue = await newQueue();
  await newTask(queue);
  await claimed(queue);
  const [{ position }] = (await json(`events --queue ${queue} --type TaskClaimed`)) as [{ position: string }];
  await service.caughtUp('worker-roster', position);
  expect((await json('workers')).find(({ name }) => name === 'w1').queues).toContain(queue);
  expect(await ok('workers')).toMatch(/^w1 +/m);
  expect(await ok('projections')).toMatch(/^queue-stats +\d+ +\d+ +(-|\d+ ms|[\d.]+ s) +(-|\d+) +running$/m);
});

it('rebuilds a read model, and says which rows differ', async () => {
  const queue = await newQueue();
  const { position } = await service.waybill.queue(queue).enqueue();
  await service.caughtUp('queue-stats', position);
  expect(await ok("projection rebuild queue-stats --diff --reason 'all well?'")).toMatch(
    /^'queue-stats' differs from the log in 0 rows as of position \d+$/m,
  );
  await service.pool.query('update queue_stats set succeeded = succeeded + 7 where queue = $1', [queue]);
  const { code, out, err } = await waybill('projection rebuild queue-stats --diff');
  expect([code, out]).toEqual([1, expect.stringContaining(`  queue_stats {"queue":"${queue}"}: succeeded 7, not 0`)]);
  expect(err).toMatch(/1 row differ/);
  expect(await ok('projection rebuild queue-stats --switch')).toMatch(/^Switched to rebuilt rows\./m);
  expect(await json('projection rebuild queue-stats --diff')).toMatchObject([{ rows: 0, first: [] }]);
  expect(await ok('projection rebuild queue-stats --back')).toMatch(/^Went back to the earlier rows\./m);
});

it('erases what the tasks and batches of a subject were about', async () => {
  await ok('queue define letters');
  await ok('enqueue letters --label customer=quill');
  await ok("batch create 'letters of quill' --label customer=quill");
  const of = "erase --label customer=quill --reason 'Art. 17'";
  expect(await ok(`${of} --preview`)).toMatch(/^1 task and 1 batch; 2 of them have not ended/m);
  const { code, err } = await waybill(`${of} --yes`);
  expect([code, err]).toEqual([1, expect.stringContaining('✗ 1  TASK_NOT_ENDED, such as ')]);
  expect(err).toContain('✗ 1  BATCH_NOT_ENDED, such as ');
  expect(await ok(`${of} --yes --abort-open`)).toMatch(/^✓ 1 task and 1 batch erased, 2 events$/m);
  expect((await waybill("erase --queue letters --reason 'Art. 17'")).code).toBe(2);
});

it('creates API keys that the service accepts', async () => {
  const [{ key, entry }] = await json('api-key shop --may enqueue --may read --expires 2099-01-01');
  expect(key).toMatch(/^wb_[\w-]{43}$/);
  expect(entry).toMatchObject({ name: 'shop', may: ['enqueue', 'read'], expiresAt: '2099-01-01T00:00:00.000Z' });
  expect(readConfig({ WAYBILL_API_KEYS: JSON.stringify([entry]) }).apiKeys).toEqual([entry]);
  expect(new ApiKeys([entry]).keyOf(key, Date.now())).toEqual(entry);
  const [boss] = await json(`api-key boss ${PERMISSIONS.map((one) => `--may ${one}`).join(' ')}`);
  expect(boss.entry.may).toEqual(PERMISSIONS);
  const [scoped] = await json(
    'api-key shop --may enqueue:mail --requests-per-minute 10 --bytes-per-minute 2000 --tasks-per-minute 50',
  );
  expect(scoped.entry).toMatchObject({
    may: ['enqueue:mail'],
    quota: { requestsPerMinute: 10, bytesPerMinute: 2_000, tasksPerMinute: 50 },
  });
  expect(faultIn([scoped.entry])).toBeNull();
  expect(await json('api-keys')).toEqual([]);
  expect(await json('whoami')).toEqual([expect.objectContaining({ key: null, person: null, queues: null })]);
  expect(await ok('whoami')).toMatch(
    /^You are '.+'\.\nThe service requires no API keys: everybody may do everything\.\n$/,
  );
  expect(await ok('api-key shop --may work')).toMatch(
    /\nwb_[\w-]{43}\n.*\n\{"name":"shop","sha256":"[0-9a-f]{64}","may":\["work"\]\}\n$/,
  );
});

describe('an impossible command', () => {
  const nobody = '019a0000-0000-7000-8000-000000000000';
  const BIG = '1970670598291982290';
  const ROUNDED = new RegExp(
    `^error: [^\\n]*Expected numbers that JSON carries exactly, but got ${BIG}: write it as text, "${BIG}"\\.\\n`,
  );

  it.each([
    ['task show ' + nobody, 1, /^TASK_NOT_FOUND: /],
    [
      'task show nonsense',
      2,
      /^error: Expected the id of a task, such as 01a2\S+, or its last 8 characters, but got 'nonsense'\.$/m,
    ],
    ['task cancel nonsense', 1, /^✗ nonsense  INVALID_INPUT: <id>: Expected a UUID in lower case/],
    ["queue show 'a b'", 1, /^INVALID_INPUT: <queue>: Expected the name of a queue/],
    ['enqueue cli-1 --kind ' + 'k'.repeat(201), 1, /^INVALID_INPUT: --kind: Expected text of 1 to 200 characters/],
    ['queue show nowhere', 1, /^QUEUE_NOT_FOUND: /],
    ['events --queue nowhere', 1, /^QUEUE_NOT_FOUND: .* define it first$/m],
    ['events --queue nowhere --follow', 1, /^QUEUE_NOT_FOUND: /],
    ['tasks --queue nowhere', 1, /^QUEUE_NOT_FOUND: /],
    ['events --type TaskFialed', 1, /^INVALID_INPUT: --type: Expected one of 'TaskPrepared', .*'TaskFailed'/],
    ['events --category x', 1, /^INVALID_INPUT: --category: Expected one of 'task', 'queue', 'consumer'/],
    ['tasks --state lost', 1, /^INVALID_INPUT: --state: Expected one of 'prepared', .*'deleted'/],
    ['tasks --sate failed', 2, /'--sate'\n\(Did you mean --state\?\)\nSee 'waybill tasks --help'/],
    ['events --actr ann', 2, /\(Did you mean --actor\?\)/],
    ['queue pause x --untli 2099-01-01', 2, /\(Did you mean --until\?\)\nSee 'waybill queue pause --help'/],
    [
      'task retry --filter quue=f',
      2,
      /Expected one of the fields q, queue, state, .*, batch, .*\.\n\(Did you mean queue\?\)/,
    ],
    [
      'task retry --filter x=f',
      2,
      /Expected one of the fields q, queue, state, .*, batch, .*\.\n\(Did you mean q\?\)\nSee /,
    ],
    ['task retry --filter state=', 2, /Expected a value after 'state=', such as/],
    ['quues', 2, /^error: unknown command 'quues'\n\(Did you mean queues\?\)/],
    ['task histry', 2, /\(Did you mean history\?\)/],
    ['task list', 2, /^error: unknown command 'list'\n'waybill tasks' lists them\. See 'waybill task --help'\.\n$/],
    ['batch list', 2, /\n'waybill batches' lists them\. See 'waybill batch --help'\.\n$/],
    ["enqueue mail 'no json'", 2, /^error: 'no json' is invalid\. Expected JSON, /],
    ["queue define x --policy '[]'", 2, /Expected a JSON object/],
    [`enqueue mail '{"id":${BIG}}'`, 2, ROUNDED],
    [
      `enqueue mail '[1,{"a":"x\\\\","b":-1e400}]'`,
      2,
      /^error: .*exactly, but got -1e400: write it as text, "-1e400"\.\n$/,
    ],
    [`trigger schedule t '* * * * *' '{"queue":"mail","payload":{"id":${BIG}}}'`, 2, ROUNDED],
    [`trigger define t '{"task":{"payload":${BIG}}}'`, 2, ROUNDED],
    [`deliver '{"text":${BIG}}'`, 2, ROUNDED],
    [`queue define x --policy '{"defaults":${BIG}}'`, 2, ROUNDED],
    [`task overrule succeed ${nobody} --reason r --result '{"id":${BIG}}'`, 2, ROUNDED],
    [
      'queue define x --policy \'{"replace":true}\'',
      2,
      /^error: Expected the fields of a policy, but 'replace' is none: [^\n]*\n$/,
    ],
    ['task prioritise high ' + nobody, 2, /Expected a whole number/],
    ['task decide perhaps ' + nobody, 2, /Expected one of retry, fail/],
    ['task overrule fail ' + nobody, 2, /'--reason <text>' not specified/],
    ['tasks --label blue', 2, /Expected a label/],
    ['queue pause q --until never', 2, /Expected a time/],
    ['queue pause cli-1 --until 2020-01-01', 1, /^PAUSE_IN_THE_PAST: .* 2020-01-01T00:00:00.000Z is in the past: /],
    ["queue pause q --until 'day 5'", 2, /Expected a time/],
    ['enqueue mail --due 5', 2, /Expected a time/],
    ['events --since yesterday', 2, /Expected a time, such as '.*', or a duration, such as '10m'/],
    ['events --since 10m --after 4', 1, /^INVALID_INPUT: --since: Expected 'after' or 'since', but got both/],
    ['events --task ' + nobody, 1, /^TASK_NOT_FOUND: /],
    ['enqueue mail --wait 2147484', 2, /Expected a number of seconds from 1 to 2147483/],
    [
      "api-key 'ann smith' --may read",
      2,
      /Expected a name of up to 100 letters, digits, '\.', '-' and '_' that begins with a letter or a digit/,
    ],
    ["queue resume ''", 2, /^error: Expected every argument to have a value/],
    ['queues --actor a\x07b', 2, /^error: Expected --actor to be a name without control characters, but/],
    [
      'queues --url http://ann:secret@127.0.0.1:2',
      2,
      /^error: Expected --url to be an address without a user name and password/,
    ],
    ['api-key shop --may fly', 2, /Expected one of read, metrics, enqueue, work, deliver, operate/],
    ['api-key shop --may read --expires 2020-01-01', 2, /Expected a time in the future/],
    ['api-key shop --may enqueue:', 2, /Expected a permission for one queue, such as enqueue:mail/],
    ['api-key shop', 2, /'--may .*' not specified/],
    ['nonsense', 2, /^error: unknown command 'nonsense'\nSee 'waybill --help'\.\n$/],
    ['queues --url nowhere', 2, /^error: Expected --url to be an address/],
    [
      'queues --url http://127.0.0.1:2',
      1,
      /nothing listens there: connection refused\.\n'npx waybill up' starts a service/,
    ],
  ])("is reported by '%s'", async (args, code, err) => {
    expect(await waybill(args)).toMatchObject({ code, out: '', err: expect.stringMatching(err) });
  });

  it('of a service that answers comes without the hint to start one', async () => {
    const problem = { code: 'OVERLOADED', title: 'Overloaded', status: 503, detail: 'ask for less' };
    const head = { 'content-type': 'application/problem+json' };
    const busy = createServer((_, response) => response.writeHead(503, head).end(JSON.stringify(problem)));
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { code, err } = await waybill(`queues --url http://127.0.0.1:${(busy.address() as AddressInfo).port}`);
    busy.closeAllConnections();
    await new Promise((resolve) => busy.close(resolve));
    expect([code, err]).toEqual([1, expect.stringMatching(/ask for less\n$/)]);
  });

  it('is reported without the API key', async () => {
    const { code, err } = await waybill('queues', '', { WAYBILL_API_KEY: 'wb_sec\nret' });
    expect([code, err]).toEqual([
      2,
      'error: Expected WAYBILL_API_KEY to be an API key, but it contains characters that no key has.\n',
    ]);
  });

  it('is also reported for ids', async () => {
    expect(await waybill('task cancel - ' + nobody)).toMatchObject({
      code: 2,
      err: expect.stringContaining("Expected either ids or '-'"),
    });
  });
});

describe('every command', () => {
  /** The commands that do something, with their full names. */
  const leaves = (command: Command, name = ''): (readonly [name: string, command: Command])[] =>
    command.commands.length === 0
      ? [[name, command]]
      : command.commands.flatMap((each) => leaves(each, `${name} ${each.name()}`.trim()));
  const surroundings = { stdin: Readable.from([]), stdout: process.stdout, stderr: process.stderr, env: {} };
  const commands = leaves(programFor(surroundings));
  const COMMON = ['--url', '--actor', '--json', '--utc'];
  /** The common options of commands that contact no service. */
  const LOCAL: Readonly<Record<string, readonly string[]>> = {
    up: [],
    init: [],
    migrate: [],
    'config check': ['--json'],
    'api-key': ['--json'],
    check: ['--json'],
    verify: ['--json'],
    'keys rewrap': ['--json'],
  };

  it('is described in the manual', () => {
    expect(commands.length).toBeGreaterThan(25);
    const manual = readFileSync(join(ROOT, 'packages/cli/README.md'), 'utf8');
    expect(commands.map(([name]) => name).filter((name) => !manual.includes(`waybill ${name}`))).toEqual([]);
  });

  it('is in the manual as the program describes it (`npm run openapi` writes it)', async () => {
    const checked = promisify(execFile)(process.execPath, ['scripts/cli-manual.mjs', '--check'], { cwd: ROOT });
    expect(await checked).toEqual({ stdout: '', stderr: '' });
  });

  it.each(commands)('lists its own options, and those of every command: %s', async (name, command) => {
    const help = await ok(`${name} --help`);
    expect(help).toMatch(new RegExp(`^Usage: waybill ${name}(\\|\\w+)? `));
    const listed = Array.from(help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, option]) => option);
    const own = command.options.map(({ long }) => long);
    expect(listed.sort()).toEqual([...own, '--help'].sort());
    expect(COMMON.filter((option) => own.includes(option))).toEqual(LOCAL[name] ?? COMMON);
  });

  it.each(commands)('says in its help which options are required: %s', async (name, command) => {
    const help = (await ok(`${name} --help`)).split(/\n(?= {2}-)/);
    const required = help.filter((text) => text.includes('(required)')).map((text) => /--[\w-]+/.exec(text)![0]);
    const mandatory = command.options.filter((option) => option.mandatory).map(({ long }) => long);
    expect(required.sort()).toEqual(mandatory.sort());
  });

  it('accepts the common options before and after its name', async () => {
    const queue = await newQueue();
    const named = expect.stringContaining(`"name":"${queue}"`);
    expect([await ok(`--json queue show ${queue}`), await ok(`queue --json show ${queue}`)]).toEqual([named, named]);
    expect(await ok(`queue show ${queue} --json`)).toEqual(named);
  });

  it('shows its help without a service', async () => {
    expect((await waybill('task')).err).toMatch(/^Usage: waybill task /);
    expect(await ok('--help')).toContain('waybill task why 019a7f3e-...');
  });
});

describe('up', () => {
  const streams = { stdin: Readable.from([]), stdout: process.stdout, stderr: process.stderr };

  it('starts the service with the environment and its options', async () => {
    const started: NodeJS.ProcessEnv[] = [];
    const startService = async (env: NodeJS.ProcessEnv): Promise<void> => void started.push(env);
    const env = { PORT: '1', HOST: '::1', WAYBILL_DATA_DIR: 'a' };
    expect(await main(['up'], { ...streams, env, startService })).toBe(0);
    expect(await main(['up', '--port', '2', '--data-dir', 'b'], { ...streams, env, startService })).toBe(0);
    expect(started).toEqual([env, { PORT: '2', HOST: '::1', WAYBILL_DATA_DIR: 'b' }]);
  });

  it('reports that there is no service to start, and refuses unknown options', async () => {
    expect(await waybill('up')).toMatchObject({ code: 1, err: expect.stringContaining("'npx waybill up' includes") });
    expect(await waybill('up --url http://127.0.0.1:1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--url'),
    });
  });
});

it('runs as a program whose reader may stop reading', async () => {
  const queue = await newQueue();
  await service.waybill.queue(queue).enqueueMany(Array.from({ length: 2_000 }, (_, n) => ({ payload: n })));
  const line = `node ${PROGRAM} tasks --queue ${queue} --limit 2000 --json | head -n 1; echo \${PIPESTATUS[0]}`;
  const env = { ...process.env, WAYBILL_URL: service.url };
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line], { env });
  const [first, code] = stdout.trim().split('\n');
  expect({ queue: JSON.parse(first!).queue, code, stderr }).toEqual({ queue, code: '141', stderr: '' });
});

describe('the deletion of a queue', () => {
  it('with its tasks asks before it begins, and says how far it is', async () => {
    const queue = await newQueue('{"steps":["store"]}');
    await newTask(queue);
    const id = await newTask(queue);
    expect(await ok(`queue delete ${queue} --with-tasks --preview`)).toBe('2 tasks, 0 of them running\n');
    const refused = await waybill(`queue delete ${queue} --with-tasks`, 'n\n');
    expect(refused.err).toContain(
      `delete queue '${queue}' with 2 tasks, 0 of them running? [y/N]\nNothing was changed.`,
    );
    const deleted = await waybill(`queue delete ${queue} --with-tasks --cancel --reason gone`, 'y\n');
    expect(deleted).toMatchObject({ code: 0, out: '✓ 2 of 2 tasks\n' });
    expect((await waybill(`queue show ${queue}`)).err).toContain('QUEUE_NOT_FOUND');
    expect(await ok(`task show ${id}`)).toMatch(/^steps +■ store {2}ended here$/m);
  });

  it('without its tasks is refused while there are any, and takes no option that is about them', async () => {
    const queue = await newQueue();
    await newTask(queue);
    expect((await waybill(`queue delete ${queue}`)).err).toContain('QUEUE_NOT_EMPTY');
    const { code, err } = await waybill(`queue delete ${queue} --cancel`);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('need --with-tasks') });
  });
});

describe('waybill resource', () => {
  it('defines, measures, lists, shows and deletes, and says which limit a measure is not below', async () => {
    expect((await waybill('resources')).err).toBe("There are no resources yet. 'waybill resource define' makes one.\n");
    expect(await ok("resource define cli-disk --description 'Working storage' --unit % --stale-after 120")).toMatch(
      /^✓/,
    );
    await newQueue(JSON.stringify({ steps: [{ name: 'store', needs: [{ resource: 'cli-disk', below: 80 }] }] }));
    expect(await ok('resources')).toMatch(/cli-disk +never measured/);
    expect(await ok('resource measure cli-disk 79.5')).toBe('It is below every limit.\n');
    expect(await ok('resource measure cli-disk 80')).toBe('It is not below 80.\n');
    const shown = await ok('resource show cli-disk');
    expect(shown).toMatch(/gauge +80%\n/);
    expect(shown).toMatch(/store of cli-\d+ below 80: not met, 0 waiting/);
    expect((await waybill('resource delete cli-disk')).err).toContain('RESOURCE_NEEDED');
    await ok(`queue change cli-${queues} '{"steps":[]}'`);
    expect(await ok("resource delete cli-disk --reason 'a new machine'")).toMatch(/^✓/);
    expect((await waybill('resource show cli-disk')).err).toContain('RESOURCE_NOT_FOUND');
  });

  it.each(['much', '1e999'])('refuses a measure that is no number: %s', async (value) => {
    const { code, err } = await waybill(`resource measure cli-disk ${value}`);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Expected a number') });
  });
});

describe('waybill view', () => {
  it('saves a search for everybody, lists it with who saved it, and deletes it', async () => {
    expect((await waybill('views')).err).toBe("No view is saved for everybody. 'waybill view save' saves one.\n");
    expect(await ok("view save cli-late 'state:failed since:2h' --overdue --sort deadline --actor ann")).toMatch(/^✓/);
    await ok('view save cli-all');
    expect(await ok('views')).toMatch(/cli-late +state:failed since:2h --overdue +deadline +\S+ +ann\n/);
    expect(await ok('views')).toMatch(/cli-all +every task +-/);
    expect(await json('views')).toMatchObject([
      { name: 'cli-all', q: '' },
      { name: 'cli-late', overdue: true },
    ]);
    expect((await waybill('view save cli-wrong state:')).err).toContain('INVALID_INPUT');
    expect(await ok("view delete cli-late --reason 'not needed any more'")).toMatch(/^✓/);
    expect(await ok('view delete cli-all')).toMatch(/^✓/);
    expect((await waybill('view delete cli-never')).err).toContain('VIEW_NOT_FOUND');
    expect(await json('views')).toEqual([]);
  });
});

describe('a command with --filter', () => {
  async function cancelledTasks(count: number): Promise<{ queue: string; ids: string[] }> {
    const queue = await newQueue();
    const ids = await Promise.all(Array.from({ length: count }, () => newTask(queue)));
    await ok(`task cancel ${ids.join(' ')}`);
    return { queue, ids };
  }
  const statesOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await service.waybill.task(id).get()).state));

  it('says how many tasks match before it asks, and changes nothing unless somebody agrees', async () => {
    const { queue, ids } = await cancelledTasks(2);
    const filter = `--filter queue=${queue} --filter state=cancelled`;
    expect(await ok(`task retry ${filter} --preview`)).toMatch(
      /^2 tasks match\. As of position \d+:\n {6}2 {2}cancelled → pending\n$/,
    );
    for (const answer of ['', 'n\n', 'yesterday\n']) {
      const { code, err, out } = await waybill(`task retry ${filter}`, answer);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain('retry 2 tasks? [y/N]\nNothing was changed.');
    }
    expect(await statesOf(ids)).toEqual(['cancelled', 'cancelled']);
  });

  it('follows the operation to its end, with the reason in every history', async () => {
    const { queue, ids } = await cancelledTasks(2);
    const ran = await waybill(`task retry --filter queue=${queue} --filter state=cancelled --reason 'all good'`, 'y\n');
    expect(ran).toMatchObject({ code: 0, out: '✓ 2 of 2 tasks\n' });
    expect(ran.err).toMatch(/retry 2 tasks\? \[y\/N\]\nOperation \S+ has begun/);
    expect(await statesOf(ids)).toEqual(['pending', 'pending']);
    const last = (await service.waybill.task(ids[0]!).history()).at(-1);
    expect(last).toMatchObject({ type: 'TaskRetried', envelope: { actor: 'ann', reason: 'all good' } });
  });

  it('counts the refusals by their codes, with an example', async () => {
    const { queue, ids } = await cancelledTasks(1);
    const waiting = await newTask(queue);
    const { code, out, err } = await waybill(`task retry --filter queue=${queue} --yes`);
    expect({ code, out }).toEqual({ code: 1, out: '✓ 1 of 2 tasks\n' });
    expect(err).toContain(`✗ 1  ILLEGAL_TRANSITION, such as ${waiting}\n1 of 2 tasks refused it.`);
    expect(await statesOf(ids)).toEqual(['pending']);
  });

  it('tries some tasks first, and says why it stopped', async () => {
    const { queue, ids } = await cancelledTasks(3);
    const { code, err } = await waybill(
      `task retry --filter queue=${queue} --yes --canary 2 --go-on-if 0.5 --within 1`,
    );
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('0 succeeded, 0 failed and 2 are open') });
    expect(await statesOf(ids)).toEqual(['pending', 'pending', 'cancelled']);
  });

  it('runs tasks that match again, with another payload in another queue', async () => {
    const { queue } = await cancelledTasks(2);
    const elsewhere = await newQueue();
    const out = await ok(
      `task run-again --filter queue=${queue} --yes --reason blank --queue ${elsewhere} --payload '{"to":"bob"}'`,
    );
    expect(out).toBe('✓ 2 of 2 tasks\n');
    const { items } = await service.waybill.tasks.page({ queue: elsewhere });
    const made = await Promise.all(items.map(({ id }) => service.waybill.task(id).get()));
    expect(made.map(({ payload }) => payload)).toEqual([{ to: 'bob' }, { to: 'bob' }]);
  });

  it('is undone, after a preview, except what changed since', async () => {
    const { queue, ids } = await cancelledTasks(2);
    const { err } = await waybill(`task retry --filter queue=${queue} --filter state=cancelled --yes`);
    const [, operation] = /Operation (\S+) has begun/.exec(err)!;
    await ok(`task hold ${ids[1]!}`);
    expect(await ok(`undo ${operation!} --preview`)).toMatch(
      /^2 tasks match\. As of position \d+:\n {6}1 {2}pending → cancelled\n {6}1 {2}refused, CHANGED_SINCE_OPERATION/,
    );
    expect(await statesOf(ids)).toEqual(['pending', 'held']);
    const undone = await waybill(`undo ${operation!} --reason 'wrong queue'`);
    expect(undone).toMatchObject({ code: 1, out: '✓ 1 of 2 tasks\n' });
    expect(undone.err).toContain(`✗ 1  CHANGED_SINCE_OPERATION, such as ${ids[1]!}`);
    expect(await statesOf(ids)).toEqual(['cancelled', 'held']);
  });

  it('previews named tasks, and leaves alone what changed since', async () => {
    const { queue, ids } = await cancelledTasks(2);
    const waiting = await newTask(queue);
    const { out, err } = await waybill(`task retry ${ids[0]!} ${waiting} --preview`);
    expect(out).toContain(`      1  cancelled → pending\n      1  refused, ILLEGAL_TRANSITION, such as ${waiting}\n`);
    const [, position] = /--as-previewed (\d+)/.exec(err)!;
    await ok(`task prioritise 4 ${ids[1]!}`);
    const filter = `--filter queue=${queue} --filter state=cancelled`;
    const ran = await waybill(`task retry ${filter} --as-previewed ${position} --yes`);
    expect(ran.err).toContain(`✗ 1  CHANGED_SINCE_PREVIEW, such as ${ids[1]!}`);
    expect(await statesOf(ids)).toEqual(['pending', 'cancelled']);
  });

  it('takes labels and a priority, and prints one document for programs', async () => {
    const queue = await newQueue();
    const id = await newTask(queue, `--label team=${queue}=blue`);
    const [told] = await json(`task prioritise 7 --filter label=team=${queue}=blue --yes`);
    expect(told).toMatchObject({ asked: 1, done: 1, refused: {} });
    expect((await service.waybill.task(id).get()).priority).toBe(7);
  });

  it('says that nothing matches, and that there is no such queue', async () => {
    expect((await waybill('task retry --filter key=nothing --yes')).err).toContain('NO_TASK_MATCHES');
    expect((await waybill('task retry --filter queue=nowhere --preview')).err).toContain('QUEUE_NOT_FOUND');
  });

  it.each([
    ['task retry', 'either task ids or --filter'],
    ['task retry 019a7f3e-0000-7000-8000-000000000000 --filter queue=mail', 'either task ids or --filter'],
    ['task retry 019a7f3e-0000-7000-8000-000000000000 --yes', '--filter with --as-previewed and --yes'],
    ['task retry --filter queue=mail --preview --yes', '--preview without'],
    ['task retry --filter queue=mail --as-previewed x', 'Expected a position'],
    ['task retry --filter queue=mail --step a', 'no --step'],
    ['task delete --filter queue=mail --force', '--force'],
    ['task retry 019a7f3e-0000-7000-8000-000000000000 --canary 5', '--filter with --canary'],
    ['task retry --filter queue=mail --go-on-if 0.5', '--canary with --go-on-if'],
    ['task retry --filter queue=mail --canary 5 --go-on-if 80', "such as '0.8'"],
    ['task cancel --filter queue=mail --canary 5', '--canary'],
    ['task retry --filter colour=red', 'Expected one of the fields q, queue, state'],
    ['task retry --filter queue=', "such as 'queue=orders'"],
    ['task retry --filter queue=a --filter queue=b', 'Expected one queue'],
    ['task retry --filter label=team', "such as 'team=blue'"],
  ])('is a usage error: %s', async (args, message) => {
    const { code, err } = await waybill(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  });
});
