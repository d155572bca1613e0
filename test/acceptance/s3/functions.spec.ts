import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventView, type RunState, Stopped, type TaskFunctions, type Worker } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { Child, killAll } from '../../chaos/child.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await killAll();
  await service.stop();
});

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

let made = 0;

/** The functions of a new queue, as a program would define them. */
async function newFunctions(): Promise<TaskFunctions> {
  const name = `functions-${++made}`;
  await service.waybill.queue(name).define({ onFailure: 'fail', leaseMs: 3_000 });
  return service.waybill.functions({ queue: name });
}

/** Starts a worker of this process for the functions. */
async function work(functions: TaskFunctions): Promise<Worker> {
  const worker = service.waybill.worker({ name: 'w1', logger: null, graceMs: 20_000 }).handle(functions);
  workers.push(worker);
  await worker.start();
  return worker;
}

const task = (id: string) => service.waybill.task(id);

async function onlyTask(functions: TaskFunctions): Promise<string> {
  const { items } = await service.waybill.tasks.page({ queue: functions.queue.name });
  expect(items).toHaveLength(1);
  return items[0]!.id;
}

const becomes = (id: string, state: string): Promise<true> =>
  until(`task ${id} to be ${state}`, async () => ((await task(id).get()).state === state ? true : null));

const record = (events: readonly EventView[]): string[] => events.map(({ type }) => type);

/** Resolves when the run is cancelled. */
const aborted = ({ signal }: RunState): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', resolve));

/** Resolves when the test lets it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('a task function', () => {
  it('S3-34 gets the id of its entry and its run in front of its own arguments', async () => {
    const functions = await newFunctions();
    let seen: [string, RunState, ...unknown[]] | null = null;
    const link = functions.task('links:make', async (id, run, from: string, to: string) => {
      seen = [id, run, from, to];
      return [from, to];
    });
    expect(await link('/in', '/out')).toEqual(['/in', '/out']);
    const [id, run, ...args] = seen!;
    expect([id, args]).toEqual([await onlyTask(functions), ['/in', '/out']]);
    expect(run).toMatchObject({ attempt: 1, cancelled: false });
    expect(run.stoppedAt!.getTime()).toBeGreaterThanOrEqual(run.startedAt.getTime());
    expect(await task(id).get()).toMatchObject({ kind: 'links:make', payload: ['/in', '/out'] });
  });

  it('S3-35 called directly runs here and now, and leaves the record of any entry', async () => {
    const functions = await newFunctions();
    const states: string[] = [];
    const double = functions.task('numbers:double', async (id, _, number: number) => {
      states.push((await task(id).get()).state);
      return 2 * number;
    });
    expect(await double(21)).toBe(42);
    const id = await onlyTask(functions);
    expect(states).toEqual(['running']);
    expect(await task(id).get()).toMatchObject({ state: 'succeeded', result: 42, attempt: 1 });
    const { id: applied } = await double.apply([21]);
    await work(functions);
    await becomes(applied, 'succeeded');
    expect(record(await task(id).history())).toEqual(record(await task(applied).history()));
  });

  it('S3-35 called directly throws what the function throws, which is recorded', async () => {
    const functions = await newFunctions();
    const error = new RangeError('the tape is full');
    const store = functions.task('tape:store', () => {
      throw error;
    });
    await expect(store()).rejects.toBe(error);
    const failed = await task(await onlyTask(functions)).get();
    expect(failed).toMatchObject({ state: 'failed', error: { message: 'the tape is full', class: 'application' } });
  });

  it('S3-36 is applied through the queue, deferred, or run in the background', async () => {
    const functions = await newFunctions();
    const { opened, open } = gate();
    const echo = functions.task('echo:say', async (_, __, words: string) => {
      await opened;
      return words;
    });
    const background = await echo.bg('aside');
    expect(await task(background.id).get()).toMatchObject({ state: 'running' });
    const applied = await echo.apply(['queued'], { priority: 3, description: 'says it' });
    const deferred = await echo.defer(new Date('2999-01-01'), ['later']);
    expect(await task(applied.id).get()).toMatchObject({ state: 'pending', priority: 3, description: 'says it' });
    expect(await task(deferred.id).get()).toMatchObject({ state: 'pending', waitingFor: 'due' });
    await work(functions);
    open();
    expect(await background.result).toBe('aside');
    await becomes(applied.id, 'succeeded');
    expect(await task(applied.id).get()).toMatchObject({ result: 'queued', worker: 'w1' });
    expect(await task(background.id).get()).toMatchObject({ state: 'succeeded', result: 'aside' });
    expect((await task(deferred.id).get()).state).toBe('pending');
  });

  it('S3-37 runs within its own context, in which whatever it calls begins', async () => {
    const functions = await newFunctions();
    const inner = functions.task('inner:work', async () => null);
    const middle = functions.task('middle:work', async () => {
      await inner();
      return (await inner.apply([])).id;
    });
    const outer = functions.task('outer:work', async () => middle());
    await outer();
    const claims = new Map<string, EventView>();
    const tasks = await service.waybill.tasks.page({ queue: functions.queue.name });
    for (const { id } of tasks.items) {
      for (const event of await task(id).history()) if (event.type === 'TaskClaimed') claims.set(id, event);
    }
    const kinds = await Promise.all(
      tasks.items.map(async ({ id, kind }) => [kind, (await task(id).get()).context, id]),
    );
    const claimOf = (kind: string) => claims.get(kinds.find(([one]) => one === kind)![2]!)!;
    expect(kinds.map(([kind, context]) => [kind, context])).toEqual([
      ['outer:work', null],
      ['middle:work', claimOf('outer:work').id],
      ['inner:work', claimOf('middle:work').id],
      ['inner:work', claimOf('middle:work').id],
    ]);
    expect(claimOf('inner:work').envelope.causationId).toBe(claimOf('middle:work').id);
    const applied = tasks.items.at(-1)!.id;
    expect((await task(applied).history())[0]!.envelope.causationId).toBe(claimOf('middle:work').id);
    expect(claimOf('middle:work').envelope.causationId).toBe(claimOf('outer:work').id);
  });

  it('S3-41 has its start and its stop in the history, with worker and times', async () => {
    const functions = await newFunctions();
    const noop = functions.task('noop:run', async () => null);
    await noop();
    const [, start, stop] = await task(await onlyTask(functions)).history();
    expect(start).toMatchObject({ type: 'TaskClaimed', data: { attempt: 1, worker: expect.any(String) } });
    expect(stop).toMatchObject({ type: 'TaskSucceeded', data: { ranMs: expect.any(Number) } });
  });
});

describe('a cancelled run', () => {
  it('S3-38 ends cancelled when the function exits, although it returns a result', async () => {
    const functions = await newFunctions();
    const { opened, open } = gate();
    const stubborn = functions.task('stubborn:run', async (_, run) => {
      await opened;
      await aborted(run);
      return 'all done';
    });
    const { id, result } = await stubborn.bg();
    await task(id).cancel({ reason: 'no longer needed' });
    open();
    await expect(result).rejects.toThrow(Stopped);
    expect(await task(id).get()).toMatchObject({ state: 'cancelled', result: null });
  });

  it('S3-38 stops where the function checks', async () => {
    const functions = await newFunctions();
    const checking = functions.task('checking:run', async (_, run) => {
      run.check();
      await aborted(run);
      run.check();
    });
    await work(functions);
    const { id } = await checking.apply([]);
    await becomes(id, 'running');
    await task(id).cancel();
    await becomes(id, 'cancelled');
    expect(record(await task(id).history()).slice(-3)).toEqual([
      'TaskCancelRequested',
      'TaskCancelConfirmed',
      'TaskCancelled',
    ]);
  });

  it('S3-39 wins over an error, which is recorded; without it, the error fails the entry', async () => {
    const functions = await newFunctions();
    const failing = functions.task('failing:run', async (_, run, waits: boolean) => {
      if (waits) await aborted(run);
      throw new Error('the tape broke');
    });
    const { id, result } = await failing.bg(true);
    await task(id).cancel();
    await expect(result).rejects.toThrow(Stopped);
    expect(await task(id).get()).toMatchObject({ state: 'cancelled', error: { message: 'the tape broke' } });
    expect(record(await task(id).history())).toContain('TaskErrorReported');
    await expect(failing(false)).rejects.toThrow('the tape broke');
  });

  it('S3-38 is reset and run again, by one retry', async () => {
    const functions = await newFunctions();
    const begun = gate();
    const once = functions.task('once:run', async (_, run) => {
      begun.open();
      if (run.attempt === 1) await aborted(run);
      return run.attempt;
    });
    const worker = await work(functions);
    const { id } = await once.apply([]);
    await begun.opened;
    await worker.stop();
    expect(await task(id).get()).toMatchObject({ state: 'cancelled' });
    await task(id).retry();
    await work(functions);
    await becomes(id, 'succeeded');
    expect(await task(id).get()).toMatchObject({ result: 2 });
  });
});

describe('SIGTERM', () => {
  const start = (how: string, queue: string): Child =>
    new Child('test/acceptance/s3/console-process.ts', { SERVICE_URL: service.url, QUEUE: queue, HOW: how });

  it.each(['worker', 'direct'])('S3-40 cancels the run of a function (%s)', async (how) => {
    const functions = await newFunctions();
    const child = start(how, functions.queue.name);
    const id = (await child.told(/^running /)).split(' ')[1]!;
    child.signal('SIGTERM');
    await child.ended;
    expect(child.lines).toContain('cancelled true');
    expect(await task(id).get()).toMatchObject({ state: 'cancelled' });
    const [request] = (await task(id).history()).filter(({ type }) => type === 'TaskCancelRequested');
    expect(request!.data).toMatchObject({ reason: 'The process that ran the task stopped' });
    if (how === 'direct') expect(child.end).toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('without a worker process', () => {
  it('S3-11 the graph is built, and seen, without running any function', async () => {
    const functions = await newFunctions();
    const ran: string[] = [];
    const step = functions.task('step:run', async (_, __, name: string) => void ran.push(name));
    const assets = await step.apply(['assets']);
    const links = await step.apply(['links'], { after: [assets] });
    const sums = await step.apply(['sums'], { after: [{ task: links.id }] });
    const { reasons } = await task(sums.id).why();
    expect(reasons).toMatchObject([{ because: 'prerequisites', blockers: [{ id: links.id, state: 'pending' }] }]);
    expect(ran).toEqual([]);
    await work(functions);
    await becomes(sums.id, 'succeeded');
    expect(ran).toEqual(['assets', 'links', 'sums']);
  });

  it('S3-11 the graph of an operation is a value before anything is sent, and then runs in the process of its test', async () => {
    const functions = await newFunctions();
    const ran: string[] = [];
    const make = functions.task('assets:make', async (_, __, folder: string) => void ran.push(`make ${folder}`));
    const link = functions.task('links:make', async (_, __, tree: string, to: string) => {
      ran.push(`link ${tree} ${to}`);
    });
    const ingest = service.waybill.planBatch({ name: 'CAN ingest 4711' });
    const assets = ingest.add(make, ['/in']);
    const tape = ingest.add(link, ['tape', '/out'], { after: [assets] });
    ingest.add(make, ['/sums'], { after: [tape, assets] });
    const queue = functions.queue.name;
    expect(ingest.graph()).toEqual([
      { ordinal: 0, queue, kind: 'assets:make', payload: ['/in'], after: [] },
      { ordinal: 1, queue, kind: 'links:make', payload: ['tape', '/out'], after: [0] },
      { ordinal: 2, queue, kind: 'assets:make', payload: ['/sums'], after: [1, 0] },
    ]);
    expect((await service.waybill.tasks.page({ queue })).items).toEqual([]);
    const batch = await ingest.submit();
    await work(functions);
    expect(await batch.done()).toMatchObject({ state: 'completed', succeeded: 3 });
    expect(ran).toEqual(['make /in', 'link tape /out', 'make /sums']);
  });

  it('S3-11 a function runs in the process of its test', async () => {
    const functions = await newFunctions();
    const add = functions.task('numbers:add', (_, __, one: number, other: number) => one + other);
    expect(await add(1, 2)).toBe(3);
  });
});

describe('methods of an object', () => {
  it('S3-34 are task functions if they are decorated', async () => {
    const functions = await newFunctions();
    class Greeter {
      constructor(private readonly greeting: string) {}

      @functions.task('greeter:greet')
      greet(_id: string, _run: RunState, name: string): string {
        return `${this.greeting}, ${name}`;
      }

      shout(): string {
        return 'no task';
      }
    }
    const greeter = functions.of(new Greeter('hello'));
    // @ts-expect-error It is no task function.
    expect(greeter.shout).toBeUndefined();
    expect(Object.keys(greeter)).toEqual(['greet']);
    expect(await greeter.greet('ann')).toBe('hello, ann');
    const { id } = await greeter.greet.apply(['bob'], { id: uuidv7() });
    await work(functions);
    await becomes(id, 'succeeded');
    expect(await task(id).get()).toMatchObject({ kind: 'greeter:greet', result: 'hello, bob' });
  });
});
