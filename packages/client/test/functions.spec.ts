import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWaybill, type RunState, Stopped, type TaskFunctions, type Waybill } from '../src/index.js';
import { deferred } from './support/deferred.js';
import { problem } from './support/stub-service.js';
import { claimedTask, EXTEND, heartbeat, refused, SETTLE, StubWork } from './support/stub-work.js';

const START = 'POST /v1/tasks/start';

let work: StubWork;
let waybill: Waybill;
let functions: TaskFunctions;

beforeEach(async () => {
  work = await StubWork.start();
  waybill = createWaybill({ url: work.service.url, clock: work.clock });
  functions = waybill.functions({ queue: 'mail' });
  work.service.on(START, ({ body }) => {
    const { id, kind, payload } = body;
    return { body: { task: claimedTask(id, { kind, payload, claimEvent: `claim-of-${kind}` }), position: '1' } };
  });
});
afterEach(() => work.service.close());

const verdicts = (): unknown[] => work.settlements.flat().map(({ verdict }) => verdict);

describe('a task function that is called directly', () => {
  it('starts its task, runs, and reports', async () => {
    const add = functions.task('numbers:add', (_, __, one: number, other: number) => one + other);
    expect(await add(1, 2)).toBe(3);
    const [start] = work.service.of(START);
    expect(start!.body).toMatchObject({ queue: 'mail', kind: 'numbers:add', payload: [1, 2] });
    expect(verdicts()).toEqual([{ type: 'succeed', result: 3 }]);
  });

  it('rejects with why its lease was lost', async () => {
    work.service.on(EXTEND, ({ body }) => heartbeat({ [body.items[0].taskId]: 'lost' })({ body } as never));
    const wait = functions.task('wait:run', async (_, run) => {
      run.progress('turns', { end: 1, position: 0 });
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    });
    const { result } = await wait.bg();
    await work.clock.fire(1_000);
    await expect(result).rejects.toThrow(Stopped);
    await expect(result).rejects.toThrow(/lease-lost/);
    expect(verdicts()).toEqual([]);
  });

  it('does not run if its start is answered as an earlier one whose claim is over, and says so once', async () => {
    work.service.on(START, ({ body: { id } }) => {
      const over = problem(409, 'LEASE_LOST', { state: 'succeeded', attempt: 1, heldBy: null });
      work.service.on(`POST /v1/tasks/${id}/extend`, over);
      return { headers: { 'idempotent-replayed': 'true' }, body: { task: claimedTask(id), position: '1' } };
    });
    let runs = 0;
    const count = functions.task('runs:count', () => ++runs);
    await expect(count()).rejects.toMatchObject({
      code: 'LEASE_LOST',
      message: expect.stringMatching(
        /^Expected to start a task, but this repeats the start of task '.+', whose claim is over: the task is succeeded$/,
      ),
    });
    expect([runs, verdicts()]).toEqual([0, []]);
  });

  it('rejects if its outcome is not recorded', async () => {
    work.service.on(SETTLE, refused('LEASE_LOST'));
    const noop = functions.task('noop:run', () => null);
    await expect(noop()).rejects.toThrow(/lease-lost/);
  });

  it.each<[string, (run: RunState) => Promise<unknown>, object]>([
    ['a signal', (run) => run.waitFor('approved', { timeout: '2d' }), { signal: 'approved', timeoutMs: 172_800_000 }],
    ['a time', (run) => run.sleep('1h'), { timeoutMs: 3_600_000 }],
  ])('rejects when its task begins to wait for %s, and reports nothing more', async (_, wait, asked) => {
    work.service.on(SETTLE, () => ({
      body: { results: [{ id: 'a', position: '1', revision: 1, recorded: true, state: 'pending' }] },
    }));
    let seen: RunState | null = null;
    const order = functions.task('orders:take', async (__, run) => wait((seen = run)));
    await expect(order()).rejects.toMatchObject({ name: 'AbortError', reason: 'waiting' });
    expect(verdicts()).toEqual([{ type: 'wait', number: 1, ...asked }]);
    expect(seen!.cancelled).toBe(false);
  });

  it('goes on at once with what came before it asked', async () => {
    work.service.on(SETTLE, ({ body }) => ({
      body: {
        results: body.items.map(({ verdict }: { verdict: { type: string } }) => ({
          id: 'a',
          position: '1',
          revision: 1,
          recorded: true,
          ...(verdict.type === 'wait'
            ? { state: 'running', waited: { by: 'signal', data: { limit: 500 } } }
            : { state: 'succeeded' }),
        })),
      },
    }));
    const order = functions.task('orders:take', async (_, run) =>
      run.waitFor<{ limit: number }>('approved', { timeout: 1 }),
    );
    expect(await order()).toEqual({ limit: 500 });
  });

  it('leaves no listener for SIGTERM', async () => {
    const before = process.listenerCount('SIGTERM');
    const seen = functions.task('seen:run', () => process.listenerCount('SIGTERM'));
    expect(await seen()).toBe(before + 1);
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });

  it('gives what it calls its claim as context, and not what runs beside it', async () => {
    const inner = functions.task('inner:run', () => null);
    const outer = functions.task('outer:run', async () => inner());
    await Promise.all([outer(), inner()]);
    const contexts = work.service.of(START).map(({ body: { kind, context } }) => `${kind} in ${context}`);
    expect(contexts.toSorted()).toEqual([
      'inner:run in claim-of-outer:run',
      'inner:run in undefined',
      'outer:run in undefined',
    ]);
  });
});

describe('task functions in a worker', () => {
  it.each([['a payload that is no list', { kind: 'links:make', payload: { from: 'a' } }, /list of arguments/]])(
    'fail as a bug for %s',
    async (_, task, message) => {
      functions.task('links:make', () => null);
      const worker = work.worker().handle(functions);
      work.offer(claimedTask('a', task));
      await worker.start();
      await work.service.received(SETTLE);
      expect(verdicts()).toMatchObject([
        { type: 'fail', error: { class: 'bug', message: expect.stringMatching(message) } },
      ]);
      await worker.stop();
    },
  );

  it('are told to stop at once, unlike handlers', async () => {
    const begun = deferred<void>();
    functions.task('wait:run', (_, run) => {
      begun.resolve();
      return new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    });
    const worker = work.worker({ graceMs: 60_000 }).handle(functions);
    work.offer(claimedTask('a', { kind: 'wait:run', payload: [] }));
    await worker.start();
    await begun.promise;
    await worker.stop();
    expect(verdicts()).toMatchObject([{ type: 'cancel' }]);
  });
});

describe('the definition of task functions', () => {
  it('refuses a second function of a kind', () => {
    functions.task('links:make', () => null);
    expect(() => functions.task('links:make', () => null)).toThrow(/one function 'links:make'/);
  });

  it('takes methods with standard decorators too, of classes above, and reads no getter', async () => {
    class Base {
      hail(_id: string, _run: RunState, name: string): string {
        return `hail ${name}`;
      }
    }
    class Greeter extends Base {
      get trap(): never {
        throw new Error('read');
      }
    }
    functions.task('greeter:hail')(Base.prototype.hail, { kind: 'method', name: 'hail' });
    const greeter = functions.of(new Greeter());
    expect(Object.keys(greeter)).toEqual(['hail']);
    expect(await greeter.hail('ann')).toBe('hail ann');
  });

  it('refuses an object without any', () => {
    expect(() => functions.of({ hail: () => 'hail' })).toThrow(
      /methods that are marked as task functions, but .* none/,
    );
  });

  it('cleans up after a method on its object', async () => {
    class Links {
      readonly did: string[] = [];
      make(_id: string, _run: RunState, to: string): void {
        this.did.push(`make ${to}`);
      }
    }
    const object = new Links();
    const cleanUp = function (this: Links, _id: string, _run: RunState, to: string): void {
      this.did.push(`remove ${to}`);
    };
    functions.task('links:make', { cleanUp })(object, 'make', { value: Links.prototype.make });
    functions.of(object);
    const worker = work.worker().handle(functions);
    work.offer(claimedTask('a', { kind: 'links:make', payload: ['/out'], attempt: 2 }));
    await worker.start();
    await work.service.received(SETTLE);
    expect(object.did).toEqual(['remove /out', 'make /out']);
    await worker.stop();
  });
});

it('a plan refuses a task of another plan as a prerequisite, and stays as it was', () => {
  const [plan, other] = [waybill.planBatch({ name: 'plan' }), waybill.planBatch({ name: 'other' })];
  plan.add('mail', 'first');
  const stranger = other.add('mail', 'strange');
  expect(() => plan.add('mail', 'second', { after: [stranger] })).toThrow(/of the same plan, but .* of another/);
  expect(plan.graph()).toHaveLength(1);
});
