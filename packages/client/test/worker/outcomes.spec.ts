import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stackOf } from '../../src/worker/stack.js';
import { type Handler, inChild, type Worker } from '../../src/index.js';
import { built } from '../support/built.js';
import { deferred } from '../support/deferred.js';
import { accepted, CLAIMS, claimedTask, refused, SETTLE, StubWork } from '../support/stub-work.js';
import { problem, type Received } from '../support/stub-service.js';

let work: StubWork;
let worker: Worker;
let thrown: unknown[];

beforeEach(async () => {
  work = await StubWork.start();
  thrown = [];
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

/** The report on one task that this handler ran. */
async function outcomeOf(handler: Handler<any>, more = {}): Promise<unknown> {
  worker = work.worker().handle('mail', handler);
  worker.on('failed', ({ error }) => thrown.push(error));
  work.offer(claimedTask('t1', more));
  await worker.start();
  await work.service.received(SETTLE);
  return work.settlements[0]![0]!.verdict;
}

describe('a handler that returns', () => {
  it.each<[string, Handler<any>, object]>([
    ['nothing', () => undefined, { type: 'succeed' }],
    ['null', () => null, { type: 'succeed', result: null }],
    ['a plain value', async (task) => ({ sent: task.payload.name }), { type: 'succeed', result: { sent: 't1' } }],
    [
      'an object that looks like a verdict',
      () => ({ type: 'return' }),
      { type: 'succeed', result: { type: 'return' } },
    ],
    ['succeed', (_, run) => run.succeed([1]), { type: 'succeed', result: [1] }],
    ['noChange', (_, run) => run.noChange(), { type: 'succeed', noChange: true }],
    [
      'fail',
      (_, run) => run.fail('business', 'no such address'),
      { type: 'fail', error: { message: 'no such address', class: 'business' } },
    ],
    [
      'a final failure with details',
      (_, run) => run.fail('bug', 'm', { final: true, details: { line: 3 } }),
      { type: 'fail', final: true, error: { message: 'm', class: 'bug', details: { line: 3 } } },
    ],
    [
      'retryLater',
      (_, run) => run.retryLater(5_000),
      {
        type: 'fail',
        retryAfterMs: 5_000,
        error: { message: 'The worker asked to try again later', class: 'transient' },
      },
    ],
    ['postpone', (_, run) => run.postpone(5_000), { type: 'return', afterMs: 5_000 }],
    [
      'retryLater with a reason',
      (_, run) => run.retryLater(0, 'full'),
      { type: 'fail', retryAfterMs: 0, error: { message: 'full', class: 'transient' } },
    ],
  ])('%s', async (_, handler, verdict) => {
    expect(await outcomeOf(handler)).toEqual(verdict);
    expect(thrown).toEqual([]);
  });
});

const CUT = '\n… cut at 32768 characters';

describe('a handler that throws', () => {
  const classed = (errorClass: string): Error => Object.assign(new Error('m'), { class: errorClass });

  it.each<[string, unknown, object]>([
    ['an error', new Error('mailbox full'), { message: 'mailbox full' }],
    ['an error with a class of ours', classed('transient'), { message: 'm', class: 'transient' }],
    ['an error with a class of its own', classed('network'), { message: 'm' }],
    ['an error without a message', new RangeError(), { message: 'RangeError' }],
    ['text', 'just text', { message: 'just text' }],
    ['nothing', undefined, { message: 'undefined' }],
    [
      'a message that is longer than the service accepts',
      new Error('x'.repeat(40_000)),
      { message: `${'x'.repeat(32_768 - CUT.length)}${CUT}` },
    ],
    [
      'a message that cannot be stored',
      new Error('bad byte \0 in \ud83d, not in 😀'),
      { message: 'bad byte \ufffd in \ufffd, not in 😀' },
    ],
    [
      'a message that is cut within a character',
      new Error(`${'x'.repeat(32_767 - CUT.length)}😀${'x'.repeat(40)}`),
      { message: `${'x'.repeat(32_767 - CUT.length)}\ufffd${CUT}` },
    ],
    [
      'an AbortError of its own',
      Object.assign(new Error('timed out'), { name: 'AbortError' }),
      { message: 'timed out' },
    ],
  ])('%s has failed, and the application learns of it', async (_, error, report) => {
    const verdict = await outcomeOf(() => {
      throw error;
    });
    const details = error instanceof Error ? { details: { stack: stackOf(error) } } : {};
    expect(verdict).toEqual({ type: 'fail', error: { ...report, ...details } });
    expect(thrown).toEqual([error]);
  });

  it('has failed with its stack and its cause', async () => {
    const verdict = await outcomeOf(() => {
      throw new Error('not sent', { cause: new TypeError('no route') });
    });
    const stack = expect.stringMatching(
      /^Error: not sent\n +at [^]*outcomes\.spec\.ts[^]*\nCaused by: TypeError: no route\n +at /,
    );
    expect(verdict).toMatchObject({ error: { message: 'not sent', details: { stack } } });
  });
});

describe('a handler that throws an unreadable value', () => {
  const unreadable = (): never => {
    throw new Error('Expected nobody to read this');
  };
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const mute = 'Expected an error with a message, but got a object without one';

  it.each<[string, unknown, string]>([
    ['an object without a prototype', Object.create(null), mute],
    ['a revoked proxy', revoked(), mute],
    ['a message that throws', Object.defineProperty(new RangeError(), 'message', { get: unreadable }), 'RangeError'],
    [
      'a name that throws',
      {
        message: 'm',
        get name() {
          return unreadable();
        },
      },
      'm',
    ],
    [
      'a class that throws',
      {
        message: 'm',
        get class() {
          return unreadable();
        },
      },
      'm',
    ],
    ['a message that is not text', Object.assign(new Error(), { message: Object.create(null) }), 'Error'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
  ])('%s has failed, and the worker continues', async (_, error, message) => {
    const warned: string[] = [];
    worker = work.worker({ logger: { warn: (_fields, words) => warned.push(words) } }).handle('mail', async () => {
      throw error;
    });
    work.offer(claimedTask('t1'));
    await worker.start();
    await work.service.received(SETTLE);
    await work.service.received(CLAIMS, 2);
    expect(work.verdicts).toEqual([['t1', { type: 'fail', error: { message } }]]);
    expect(warned).toEqual([expect.stringMatching(/^Expected task 't1' .*, but its handler threw: /)]);
    expect(warned[0]).toContain(message);
  });
});

it('a line of the log has fields, as pino takes them', async () => {
  const lines: unknown[][] = [];
  worker = work.worker({ logger: { warn: (...line) => lines.push(line) } }).handle('mail', () => {
    throw new Error('no route');
  });
  work.offer({ ...claimedTask('t1'), traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
  await worker.start();
  await work.service.received(SETTLE);
  const { kind } = claimedTask('t1');
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  expect(lines).toEqual([
    [
      { event: 'failed', task: 't1', queue: 'mail', kind, attempt: 1, traceId, error: 'no route' },
      expect.stringContaining('its handler threw: no route'),
    ],
  ]);
});

it('the console gets the message alone', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  worker = work.worker({ logger: console }).handle('mail', () => {
    throw new Error('no route');
  });
  work.offer(claimedTask('t1'));
  await worker.start();
  await work.service.received(SETTLE);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('its handler threw: no route')]]);
});

describe('a handler whose verdict does not exist', () => {
  const LEGAL =
    'nothing, a JSON value, run.succeed(result), run.noChange(), run.fail(class, message), run.retryLater(ms), run.postpone(ms), run.cancelled(), run.done() or run.completeStep(name)';

  it.each<[string, Handler<any>, string]>([
    ['a function', (_, run) => run.succeed, `Expected the handler to return ${LEGAL}, but it returned a function`],
    ['a symbol', () => Symbol('x'), 'but it returned a symbol'],
    ['a bigint', () => 1n, 'but it returned a bigint'],
    ['a BigInt inside', () => ({ order: 1n }), "'order' is 1n"],
    [
      'a circular value',
      () => {
        const a: any = {};
        a.a = a;
        return a;
      },
      `Expected the handler to return ${LEGAL}, but: Converting circular`,
    ],
    [
      'an unknown class',
      (_, run) => run.fail('network' as never, 'm'),
      "Expected an error class of business, application, transient, bug, but got 'network'",
    ],
    ['no message', (_, run) => run.fail('bug', ''), "Expected a failure to have a message, but got ''"],
    [
      'a delay in the past',
      (_, run) => run.retryLater(-1),
      "Expected to retry after a whole number of milliseconds from 0 to 31622400000, but got '-1'",
    ],
    [
      'an unrequested cancellation',
      (_, run) => run.cancelled(),
      "Expected a request to stop before run.cancelled() of task 't1', but there was none",
    ],
    [
      'a step, with steps left',
      async (_, run) => run.completeStep('one'),
      "Expected the handler of task 't1' to go on with the next step, but it ended",
    ],
  ])('%s has failed as a bug, and the error lists the valid verdicts', async (name, handler, words) => {
    let verdict: any = await outcomeOf(handler);
    if (verdict.type === 'completeStep') verdict = (await work.service.received(SETTLE, 2)).body.items[0].verdict;
    const error = { class: 'bug', message: expect.stringContaining(words) };
    expect(verdict).toMatchObject({ type: 'fail', final: true, error });
    expect(thrown).toHaveLength(1);
  });

  it.each<[string, Handler<any>]>([
    ['a result of a step', (_, run) => run.completeStep('one', { result: 2 ** 60 })],
    ['data of a step', (_, run) => run.done({ data: { at: Infinity } })],
    ['recorded data', (_, run) => run.record({ at: NaN })],
    ['a bar', (_, run) => run.progress('files', { end: NaN, position: 0 })],
    ['a misspelt option of a failure', (_, run) => run.fail('transient', 'm', { detials: 1 } as never)],
    ['a misspelt record of a step', (_, run) => run.done({ dta: { at: 1 } } as never)],
    ['a misspelt option of a step', (_, run) => run.completeStep('one', { than: 'offer' } as never)],
    ['a misspelt start of a bar', (_, run) => run.progress('files', { strat: 1, end: 2, position: 1 } as never)],
    ['a title of a bar', (_, run) => run.progress('\0', { end: 1, position: 0 })],
  ])('%s has failed for good', async (_, handler) => {
    const verdict = await outcomeOf(handler, { step: 'one' });
    expect(verdict).toMatchObject({ type: 'fail', final: true, error: { class: 'bug' } });
  });

  const unreadable = (): never => {
    throw new Error('Expected nobody to read this');
  };
  const trapped = (except: object = {}): any =>
    new Proxy({}, new Proxy(except, { get: (traps, name) => Reflect.get(traps, name) ?? unreadable }));
  const mute: ProxyHandler<any> = { get: (_, name) => (name === 'then' ? undefined : unreadable()) };
  const revoked = (): any => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const circles = (): object => {
    const node: Record<string, unknown> = {};
    return Object.assign(node, { parent: node, children: [node, node] });
  };

  it.each<[string, Handler<any>]>([
    ['a proxy whose traps throw', () => trapped()],
    ['a proxy whose traps throw, later', async () => trapped(mute)],
    ['a revoked proxy', () => revoked()],
    ['a revoked proxy inside', () => ({ order: revoked() })],
    ['a getter that throws', () => Object.defineProperty({}, 'order', { enumerable: true, get: unreadable })],
    ['a toJSON that throws', async () => ({ toJSON: unreadable })],
    [
      'a length that throws',
      () => new Proxy([], { get: (list, name) => (name === 'length' ? unreadable() : Reflect.get(list, name)) }),
    ],
    ['circles everywhere', async () => circles()],
    ['a result that throws', (_, run) => run.succeed(trapped())],
    ['details that throw', (_, run) => run.fail('transient', 'm', { details: revoked() })],
    ['options of a failure that throw', (_, run) => run.fail('transient', 'm', revoked())],
    ['a class that has no name', (_, run) => run.fail(Object.create(null), 'm')],
    ['a message that is no text', (_, run) => run.fail('transient', Object.create(null))],
    ['a delay that is no number', (_, run) => run.retryLater(Symbol('soon') as never)],
    ['a postponement that throws', (_, run) => run.postpone(revoked())],
    ['a step that throws', (_, run) => run.done(revoked())],
    ['a step that throws while the handler goes on', (_, run) => run.completeStep('one', trapped())],
    ['data that throw', (_, run) => run.record(revoked())],
    ['a bar that throws', (_, run) => run.progress('files', revoked())],
    ['a bar that is no number', (_, run) => run.progress('files', { end: Symbol('all') as never, position: 0 })],
    ['a title that is no text', (_, run) => run.progress(null as never, { end: 1, position: 0 })],
  ])('%s has failed for good', async (_, handler) => {
    const verdict = await outcomeOf(handler, { step: 'one' });
    expect(verdict).toMatchObject({ type: 'fail', final: true, error: { class: 'bug' } });
  });

  it('is reported as it was when the handler ended', async () => {
    let reads = 0;
    const verdict = await outcomeOf(() => ({
      get order() {
        return ++reads === 1 ? 'o1' : unreadable();
      },
    }));
    expect(verdict).toEqual({ type: 'succeed', result: { order: 'o1' } });
  });

  it.each(['a result', 'a step', 'progress'])('%s of a process of its own has failed for good', async (name) => {
    const verdict = await outcomeOf(inChild(built('test/support/illegal-child.ts')), { payload: { name } });
    expect(verdict).toMatchObject({ type: 'fail', final: true, error: { class: 'bug' } });
  });
});

describe('a handler in a process of its own', () => {
  const inItsOwn = inChild(built('test/support/results-child.ts'));
  const assets = {
    is: 'task',
    id: 't0',
    state: 'succeeded',
    queue: 'mail',
    kind: 'task',
    key: null,
    reference: 'assets',
    result: { files: 7 },
  };

  it('gets the results of what its task waited for', async () => {
    work.service.on('GET /v1/tasks/t1/prerequisites', { body: { items: [assets], nextCursor: null } });
    expect(await outcomeOf(inItsOwn)).toEqual({ type: 'succeed', result: { files: 7 } });
  });

  it('fails if they are not there', async () => {
    work.service.on('GET /v1/tasks/t1/prerequisites', { body: { items: [], nextCursor: null } });
    const error = { message: expect.stringContaining("reference, key or kind 'assets', but none of 0 have it") };
    expect(await outcomeOf(inItsOwn)).toMatchObject({ type: 'fail', error });
  });

  it('ends, and fails, if the service refuses them', async () => {
    work.service.on('GET /v1/tasks/t1/prerequisites', problem(404, 'TASK_NOT_FOUND'));
    expect(await outcomeOf(inItsOwn)).toMatchObject({ type: 'fail', error: { message: expect.any(String) } });
    expect(thrown).toMatchObject([{ code: 'TASK_NOT_FOUND' }]);
  });
});

describe('a file that makes a process run a handler', () => {
  it('may import another such file, whose handler the process then does not run', async () => {
    const verdict = await outcomeOf(inChild(built('test/support/importing-child.ts')), {
      payload: { name: 'a result' },
    });
    expect(verdict).toEqual({ type: 'succeed', result: 'function' });
  });

  it('changes nothing in a process that no worker has started, which ends as it would without', async () => {
    const child = fork(built('test/support/illegal-child.ts'));
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

it('a handler that throws an error whose `final` is true has failed for good', async () => {
  const error = Object.assign(new Error('no such customer'), { class: 'business', final: true });
  const verdict = await outcomeOf(() => Promise.reject(error));
  expect(verdict).toMatchObject({ type: 'fail', final: true, error: { class: 'business' } });
});

describe('the input of a handler', () => {
  it('is the task without the secret of its claim, and the fencing token', async () => {
    let seen: any;
    await outcomeOf(
      (task, run) =>
        void (seen = { task, fence: run.fencingToken, attempt: run.attempt, step: run.step, why: run.stopReason }),
      {
        attempt: 3,
        token: '77.secret',
        step: 'one',
      },
    );
    expect(seen).toMatchObject({
      fence: '77',
      attempt: 3,
      step: 'one',
      why: null,
      task: { taskId: 't1', payload: { name: 't1' }, attempt: 3 },
    });
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  it('passes progress to listeners in this process', async () => {
    const told: unknown[] = [];
    worker = work.worker();
    await outcomeOfWith(
      worker.on('progress', ({ task, bar }) => told.push([task.taskId, bar])),
      (_, run) => run.progress('files', { end: 3, position: 1 }),
    );
    expect(told).toEqual([['t1', { title: 'files', start: 0, end: 3, position: 1 }]]);
    expect(work.verdicts).toEqual([['t1', { type: 'succeed' }]]);
  });

  async function outcomeOfWith(given: Worker, handler: Handler<any>): Promise<void> {
    given.handle('mail', handler);
    work.offer(claimedTask('t1'));
    await given.start();
    await work.service.received(SETTLE);
  }
});

describe('steps', () => {
  it('are recorded while the attempt continues', async () => {
    const first = await outcomeOf(async (_, run) => {
      await run.completeStep('fetch', { result: { bytes: 3 } });
      await run.reportError(new Error('one page is missing'));
      return 'done';
    });
    expect(first).toEqual({ type: 'completeStep', step: 'fetch', then: 'continue', result: { bytes: 3 } });
    await work.service.received(SETTLE, 3);
    expect(work.verdicts.slice(1)).toMatchObject([
      ['t1', { type: 'reportError', error: { message: 'one page is missing' } }],
      ['t1', { type: 'succeed', result: 'done' }],
    ]);
  });

  it('end the attempt when the next step is offered to any worker', async () => {
    const first = await outcomeOf((_, run) => run.completeStep('fetch', { then: 'offer' }));
    expect(first).toEqual({ type: 'completeStep', step: 'fetch', then: 'offer' });
    await worker.stop();
    expect(work.verdicts).toHaveLength(1);
    expect(thrown).toEqual([]);
  });

  it('end the attempt after the last one, whatever the handler returns', async () => {
    work.service.on(SETTLE, ({ body }: Received) => ({
      body: { results: [{ id: body.items[0].taskId, state: 'succeeded' }] },
    }));
    await outcomeOf(async (_, run) => {
      await run.completeStep('last');
      return { too: 'late' };
    });
    await worker.stop();
    expect(work.verdicts).toHaveLength(1);
  });

  it('that are refused throw in the handler', async () => {
    work.service.on(SETTLE, refused('STEP_OUT_OF_ORDER'), accepted);
    await outcomeOf((_, run) => run.completeStep('second'));
    expect((await work.service.received(SETTLE, 2)).body.items[0].verdict).toMatchObject({
      type: 'fail',
      error: {
        class: 'bug',
        message: "Expected to settle as 'completeStep', but STEP_OUT_OF_ORDER: refused: STEP_OUT_OF_ORDER",
      },
    });
  });

  it('of a lost lease stop the handler', async () => {
    work.service.on(SETTLE, refused('LEASE_LOST'));
    const reason = deferred<unknown>();
    const lost = deferred<string>();
    worker = work.worker().on('lost', ({ task }) => lost.resolve(task.taskId));
    worker.handle('mail', async (_, run) => {
      await run.completeStep('one').catch((error: unknown) => {
        reason.resolve(run.stopReason);
        throw error;
      });
    });
    work.offer(claimedTask('t1'));
    await worker.start();
    expect(await reason.promise).toBe('lease-lost');
    expect(await lost.promise).toBe('t1');
    await worker.stop();
    expect(work.verdicts).toHaveLength(1);
  });
});
