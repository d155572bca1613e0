import {
  type BatchHandle,
  type Handler,
  inChild,
  steps,
  type StopReason,
  type TaskHandle,
  type Waybill,
} from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../support/running-service.js';
import { built } from '../support/built.js';
import { until } from '../support/until.js';

// A handler learns within seconds that it must stop, whatever the length of its lease. The heartbeats of these leases
// come after 20 minutes, so a test that waits for one does not end.

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const LONG = { leaseMs: 3_600_000 };

/** Waits until it must stop, and says why. */
const waiting =
  (stopped: (reason: StopReason | null) => void): Handler<any> =>
  (_, run) =>
    new Promise((_resolve, reject) => {
      run.signal.addEventListener('abort', () => {
        stopped(run.stopReason);
        reject(run.signal.reason);
      });
    });

interface Case {
  readonly waybill?: () => Promise<Waybill>;
  readonly policy?: object;
  readonly handler?: (stopped: (reason: StopReason | null) => void) => Handler<any>;
  readonly command?: (task: TaskHandle) => Promise<unknown>;
  readonly reason?: StopReason;
}

const CASES: Readonly<Record<string, Case>> = {
  'a cancel': {},
  'an abort': { command: (task) => task.abort(), reason: 'lease-lost' },
  'an overruling': { command: (task) => task.overrule('fail', 'it hangs'), reason: 'lease-lost' },
  'a deletion': { command: (task) => task.delete({ force: true }), reason: 'lease-lost' },
  'a hold': { command: (task) => task.hold() },
  'a cancel in process': { waybill: () => service.embed() },
  'a cancel of a worker of steps': {
    policy: { steps: ['a', 'b'] },
    handler: (stopped) => steps({ a: waiting(stopped) }),
  },
};

const isRunning = (task: TaskHandle): Promise<true> =>
  until('the task to run', async () => ((await task.get()).state === 'running' ? true : null));

const hasEnded = (task: TaskHandle): Promise<string> =>
  until('the task to end', async () => {
    const { state } = await task.get();
    return state === 'running' ? null : state;
  });

/** Resolves with why the handler was told to stop. */
async function reasonFromHistory({ waybill, policy, handler = waiting, command = (task) => task.cancel() }: Case) {
  const queue = service.waybill.queue(`q-${uuidv7()}`);
  await queue.define({ ...policy, ...LONG });
  const task = service.waybill.task((await queue.enqueue()).id);
  const mine = (await waybill?.()) ?? service.waybill;
  const worker = mine.worker({ logger: null });
  const told = new Promise((resolve) => worker.handle(queue.name, handler(resolve)));
  await worker.start();
  await isRunning(task);
  await command(task);
  const reason = await told;
  await worker.stop();
  return reason;
}

it('given leases of an hour, every command reaches its handler within seconds', async () => {
  const told = await Promise.all(
    Object.entries(CASES).map(async ([name, one]) => [name, await reasonFromHistory(one)]),
  );
  expect(told).toEqual(Object.entries(CASES).map(([name, { reason = 'cancel' }]) => [name, reason]));
});

it('given leases of an hour, a cancellation ends a handler in a process of its own', async () => {
  const queue = service.waybill.queue(`q-${uuidv7()}`);
  await queue.define(LONG);
  const task = service.waybill.task((await queue.enqueue({ text: 'wait' })).id);
  const child = inChild(built('test/acceptance/s3/hashing-child.ts'));
  const worker = service.waybill.worker({ logger: null }).handle(queue.name, child);
  await worker.start();
  await isRunning(task);
  await task.cancel();
  expect(await hasEnded(task)).toBe('cancelled');
  await worker.stop();
});

/** A batch of one task that a worker has, with a lease of an hour. `told`: why its handler was told to stop. */
async function runningBatch() {
  const queue = service.waybill.queue(`q-${uuidv7()}`);
  await queue.define(LONG);
  const plan = service.waybill.planBatch({ name: 'maps' });
  plan.add(queue.name, null);
  const batch = await plan.submit();
  const worker = service.waybill.worker({ logger: null });
  const told = new Promise((resolve) => worker.handle(queue.name, waiting(resolve)));
  await worker.start();
  const id = await until('the task of the batch to run', async () => {
    const { items } = await service.waybill.tasks.page({ batch: batch.id, state: 'running' });
    return items[0]?.id ?? null;
  });
  return { batch, worker, told, task: service.waybill.task(id) };
}

/** What is done to the batch, and the state of its task afterwards. */
const ENDS_OF_BATCHES: Readonly<Record<string, readonly [(batch: BatchHandle) => Promise<unknown>, string]>> = {
  'an abort': [(batch) => batch.abort({ reason: 'the maps are wrong' }), 'aborted'],
  'a deletion': [(batch) => batch.delete(), 'deleted'],
};

it.each(Object.keys(ENDS_OF_BATCHES))(
  'given leases of an hour, %s of a batch reaches the handlers of its tasks within seconds',
  async (name) => {
    const [end, state] = ENDS_OF_BATCHES[name]!;
    const { batch, worker, told, task } = await runningBatch();
    await end(batch);
    expect(await told).toBe('lease-lost');
    expect(await hasEnded(task)).toBe(state);
    await worker.stop();
  },
);

it('given leases of an hour, an abort reaches the handler, and what was arranged to wait for the task is aborted with it', async () => {
  const queue = service.waybill.queue(`q-${uuidv7()}`);
  await queue.define(LONG);
  const first = service.waybill.task((await queue.enqueue()).id);
  const worker = service.waybill.worker({ concurrency: 1, logger: null });
  const told = new Promise((resolve) => worker.handle(queue.name, waiting(resolve)));
  await worker.start();
  await isRunning(first);
  const second = service.waybill.task((await queue.enqueue()).id);
  await second.arrange({ add: [{ task: first.id }] });
  await first.abort({ reason: 'the maps are wrong' });
  expect(await told).toBe('lease-lost');
  await until('the dependant to be aborted', async () => ((await second.get()).state === 'aborted' ? true : null));
  await worker.stop();
});

it('given leases of an hour, a drain ends functions that run here and now', async () => {
  const queue = `q-${uuidv7()}`;
  await service.waybill.queue(queue).define(LONG);
  const functions = service.waybill.functions({ queue });
  const wait = functions.task(
    'test:wait',
    (_, run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason));
      }),
  );
  const { id, result } = await wait.bg();
  await service.waybill.system.drain({ running: 'cancel' });
  await expect(result).rejects.toMatchObject({ name: 'AbortError', reason: 'cancel' });
  await hasEnded(service.waybill.task(id));
  await service.waybill.system.resume();
});
