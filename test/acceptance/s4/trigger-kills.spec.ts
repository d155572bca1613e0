import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle, TaskDetails, TriggerDefinition, TriggerHandle, Waybill } from '@waybill/client';
import { type Crash, type CrashPoint, lastWords } from '../../chaos/crash-points.js';
import { PATIENT } from '../../chaos/load.js';
import { Run } from '../../chaos/run.js';
import { freePort } from '../../chaos/ports.js';
import { violationsOf } from '../../support/history-checker.js';
import { until } from '../../support/until.js';

const RETRY = { retry: PATIENT };
const LONG_MS = 3_600_000;
const DAY = 86_400;
const WITHOUT_SWEEPER = { WAYBILL_ROLES: 'api,projector,reactor,relay' };

/** Between tick, claim, job and record. Elsewhere, the items are leased before their claims are stored. */
const WINDOWS: readonly CrashPoint[] = [
  'before-items',
  ...(process.env.EVENT_STORE_URL ? (['after-reserve'] as const) : []),
  'after-items',
  'after-job',
  'after-firing',
];

let run: Run;
let waybill: Waybill;
let count = 0;
/** Every test has its own queues and trigger, of the same service. Its sweepers are other processes. */
let items: QueueHandle;
let jobs: QueueHandle;
let trigger: TriggerHandle;

beforeAll(async () => {
  run = await Run.open();
  await run.service({ env: WITHOUT_SWEEPER }).ready();
  waybill = run.client();
});
afterEach(() => trigger.disable(RETRY));
afterAll(() => run.close());

/** Prepares a trigger and items that it has not seen. */
async function prepare(payloads: number, changes: Partial<TriggerDefinition> = {}): Promise<readonly string[]> {
  count += 1;
  items = waybill.queue(`invoices-${count}`);
  jobs = waybill.queue(`robots-${count}`);
  trigger = waybill.trigger(`post-invoices-${count}`);
  await items.define({ leaseMs: LONG_MS }, RETRY);
  await jobs.define({}, RETRY);
  await define(changes);
  const ids: string[] = [];
  for (let at = 0; at < payloads; at++) ids.push((await items.enqueue(at, RETRY)).id);
  return ids;
}

const define = (changes: Partial<TriggerDefinition> = {}) =>
  trigger.define({ queue: items.name, batchSize: 2, every: 1, task: { queue: jobs.name }, ...changes }, RETRY);

/** The next process sweeps without waiting for the term of a dead one. */
async function sweep(crash?: Crash) {
  await run.pool.query(`update leaders set deadline = now() where role = 'sweeper'`);
  return run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'sweeper' }, ...(crash && { crash }) });
}

async function killedAt(point: CrashPoint): Promise<void> {
  const crash = { point, passage: 1 };
  const sweeper = await sweep(crash);
  expect([await sweeper.ended, sweeper.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
  expect(sweeper.lines).toContain(lastWords(crash));
}

/**
 * Fires the trigger by hand through a process that is killed at the point, and starts again. The client repeats the request
 * after that, with its key and without an id. Resolves with the job.
 */
async function firedThrough(crash: Crash, meanwhile: () => Promise<void> = async () => undefined): Promise<string> {
  const [port, env] = [await freePort(), { WAYBILL_ROLES: 'api' }];
  const first = await run.service({ port, env, crash }).ready();
  const firing = run.client(first.url).trigger(trigger.name).fire(RETRY);
  expect([await first.ended, first.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
  await meanwhile();
  const second = run.service({ port, env });
  const { id } = await firing;
  await second.kill();
  return id;
}

/** While a process sweeps. */
async function swept<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const sweeper = await sweep();
  const seen = await until(what, look);
  await sweeper.kill();
  return seen;
}

const task = (id: string): Promise<TaskDetails> => waybill.task(id).get(RETRY);

const jobsMade = async (): Promise<readonly TaskDetails[]> => {
  const { items: made } = await waybill.tasks.page({ queue: jobs.name }, RETRY);
  return Promise.all(made.map(({ id }) => task(id)));
};

const itemsOf = (job: TaskDetails): readonly string[] => job.items.map(({ id }) => id);

const endLeases = () =>
  run.pool.query(`update leases set deadline = now() - interval '1 second' where queue = $1`, [items.name]);

/** The jobs that the trigger's record names, with their items. */
const recorded = async (): Promise<readonly (readonly [job: string, items: readonly string[]])[]> => {
  const events = (await run.history()).events.filter(({ stream }) => stream.endsWith(`-named-${trigger.name}`));
  return events.flatMap(({ event }) =>
    event.type === 'TriggerFired'
      ? (event.data as { firings: { task: string; items: readonly string[] }[] }).firings.map(
          ({ task: job, items: those }) => [job, those] as const,
        )
      : [],
  );
};

/**
 * The jobs of all items, once each item has returned, is leased to a job that has it, and the record names that. Items whose
 * leases end one after the other may share no job.
 */
const inOtherJobs = (ids: readonly string[]) => async (): Promise<readonly string[] | null> => {
  const [tasks, firings] = [await Promise.all(ids.map(task)), await recorded()];
  const isIn = ({ id, state, attempt, job }: TaskDetails) =>
    state === 'running' && attempt === 2 && firings.some(([made, those]) => made === job && those.includes(id));
  return tasks.every(isIn) ? [...new Set(tasks.map(({ job }) => job!))].sort() : null;
};

describe('kill -9 of the service while a trigger fires', () => {
  it('S4-29 leaves every item in one job and no job without items, whichever part was the last', async () => {
    const ids = await prepare(3);
    for (const point of WINDOWS) await killedAt(point);
    await swept('both firings to be recorded', async () => ((await recorded()).length === 2 ? true : null));
    const made = await jobsMade();
    const contents = made.map((job) => [job.id, itemsOf(job)] as const);
    // An item whose reservation is being returned is passed over, so which items share a job is open.
    expect(contents.map(([, those]) => those.length).sort()).toEqual([1, 2]);
    expect(contents.flatMap(([, those]) => those).sort()).toEqual([...ids].sort());
    expect(await recorded()).toHaveLength(2);
    expect(await recorded()).toEqual(expect.arrayContaining(contents));
    const claimed = await Promise.all(ids.map(task));
    expect(claimed.map(({ state, attempt }) => [state, attempt])).toEqual(ids.map(() => ['running', 1]));
  }, 300_000);

  it.each<[CrashPoint, number]>([
    ['after-items', 0],
    ['after-job', 1],
  ])(
    'S4-29 gives the items back if their lease ends before the restart, killed %s, and makes another job of them',
    async (point, jobsBefore) => {
      const ids = await prepare(2);
      await killedAt(point);
      const before = (await jobsMade()).map(({ id }) => id);
      expect(before).toHaveLength(jobsBefore);
      await endLeases();
      const others = await swept('jobs of the items', inOtherJobs(ids));
      expect((await jobsMade()).map(({ id }) => id).sort()).toEqual([...before, ...others].sort());
      const contents = (await recorded()).flatMap(([job, those]) => (others.includes(job) ? those : []));
      expect(contents.sort()).toEqual([...ids].sort());
    },
    300_000,
  );

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['disabled', () => trigger.disable(RETRY), () => trigger.enable(RETRY)],
    ['deleted', () => trigger.delete(RETRY), () => define()],
    ['changed', () => define({ batchSize: 5 }), async () => undefined],
  ])(
    'S4-29 makes no job of what it claimed before it was %s, and its items return when their lease ends',
    async (_, change, goOn) => {
      const ids = await prepare(2);
      await killedAt('after-items');
      await change();
      await endLeases();
      await goOn();
      const others = await swept('jobs of the items', inOtherJobs(ids));
      expect((await jobsMade()).map(({ id }) => id).sort()).toEqual(others);
    },
    300_000,
  );

  it('S4-29 keeps the job with its items that it made before it was disabled, without a record of the firing', async () => {
    const ids = await prepare(2);
    await killedAt('after-job');
    await trigger.disable(RETRY);
    const [made, ...more] = await jobsMade();
    expect([itemsOf(made!).toSorted(), more, await recorded()]).toEqual([[...ids].sort(), [], []]);
  }, 300_000);

  it.each<[CrashPoint, number, number]>([
    ['after-items', 2, 3],
    ['after-job', 2, 3],
    ['after-firing', 2, 2],
  ])(
    'S4-29 makes one job of a firing by hand that its client repeats, killed %s, of %i of %i items, and leaves the others alone',
    async (point, batchSize, payloads) => {
      const ids = await prepare(payloads, { batchSize, every: DAY });
      await trigger.disable(RETRY);
      const fired = await firedThrough({ point, passage: 1 });
      const [mine, others] = [ids.slice(0, batchSize), ids.slice(batchSize)];
      expect(itemsOf(await task(fired))).toEqual(mine);
      expect(await recorded()).toEqual([[fired, mine]]);
      for (const id of others) expect(await task(id)).toMatchObject({ state: 'pending', attempt: 0 });
      for (const id of others) await waybill.task(id).cancel(RETRY);
    },
    300_000,
  );

  it('S4-29 records a firing by hand with all items of its job, also if one has ended when its client repeats it', async () => {
    const ids = await prepare(2, { every: DAY });
    await trigger.disable(RETRY);
    const fired = await firedThrough({ point: 'after-job', passage: 1 }, async () => {
      const [job] = await jobs.claim({ worker: 'robot', waitMs: 60_000 }, RETRY);
      const settle = ({ taskId, token }: ClaimedTask, type: 'succeed' | 'return') =>
        waybill.settle([{ taskId, token, verdict: { type } }], RETRY);
      await settle(job!.items![0]!, 'succeed');
      await settle(job!, 'return');
    });
    expect(await recorded()).toEqual([[fired, ids]]);
  }, 300_000);

  it('S4-29 leaves a history without a broken promise once its jobs are done', async () => {
    const worker = waybill.worker({ name: 'robot', concurrency: 10, logger: null });
    for (let at = 1; at <= count; at++)
      worker.handle(`robots-${at}`, async (job, { items: those }) => {
        for (const item of those) await item.settle();
      });
    const sweeper = await sweep();
    await worker.start();
    await run.settled();
    await worker.stop();
    await sweeper.kill();
    const history = await run.history();
    expect(history.events.filter(({ event }) => event.type === 'TriggerFired').length).toBeGreaterThan(count);
    expect(violationsOf(history)).toEqual([]);
  }, 300_000);
});
