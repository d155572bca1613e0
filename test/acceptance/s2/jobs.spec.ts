import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClaimedTask, createWaybill, type SettleVerdict, type TaskHandle, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';
import { JobQueue, type Step, STEPS } from './job-queue.js';

const COLLECTION = { collection: 'maps' };
const RESUMABLE = ['Downloading', 'Processing', 'Recording', 'Notify'] as const;

let service: RunningService;
let jobs: JobQueue;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  jobs = await JobQueue.in(service);
});

const taskOf = ({ taskId }: { readonly taskId: string }): TaskHandle => service.waybill.task(taskId);
const place = () => service.waybill.holds.place('maps', COLLECTION);
const lift = () => service.waybill.holds.lift('maps');

/** A job that a hold on its collection caught. */
async function held(): Promise<TaskHandle> {
  const job = await jobs.enqueue({}, { labels: COLLECTION });
  await place();
  expect(await jobs.claim()).toBeUndefined();
  return job;
}

describe('the states of a job', () => {
  it('S2-25 are shown under the names of the repository', async () => {
    const job = await jobs.enqueue({});
    const seen = [await jobs.nameOf(job)];
    for (const _ of STEPS) {
      const task = await jobs.claim();
      seen.push(await jobs.nameOf(job));
      await jobs.complete(task!);
    }
    seen.push(await jobs.nameOf(job));
    const failed = await jobs.failedAt('Downloading');
    seen.push(await jobs.nameOf(failed));
    await failed.delete();
    seen.push(await jobs.nameOf(failed));
    expect(seen).toEqual(['Pending', ...STEPS, 'COMPLETED', 'Failed', 'DELETED']);
  });

  it('S2-25 has Held for a job whose collection is held', async () => {
    expect(await jobs.nameOf(await held())).toBe('Held');
    await lift();
  });

  it('S2-26 change by themselves along every edge of the source', async () => {
    const rejected = await jobs.enqueue({}, { rejected: { message: 'the manifest is corrupt' } });
    expect(await jobs.nameOf(rejected)).toBe('Failed');
    const job = await jobs.enqueue({});
    for (const [at, step] of STEPS.entries()) {
      const task = await jobs.claim(step);
      expect(task).toMatchObject({ taskId: job.id, step });
      await jobs.complete(task!);
      expect(await jobs.nameOf(job)).toBe(STEPS[at + 1] ?? 'COMPLETED');
    }
    for (const step of RESUMABLE) expect(await jobs.nameOf(await jobs.failedAt(step))).toBe('Failed');
  });

  it('S2-28 have no other edges: reports and commands are refused, and the state stays', async () => {
    const tries: readonly ((task: TaskHandle) => Promise<unknown>)[] = [
      (task) => task.submit(),
      (task) => task.hold(),
      (task) => task.cancel(),
      (task) => task.abort(),
      (task) => task.decide('retry'),
      (task) => task.decide('fail'),
      (task) => task.overrule('succeed', 'because'),
      (task) => task.overrule('fail', 'because'),
      (task) => task.overrule('requeue', 'because'),
      (task) => task.prioritise(1),
      (task) => task.amend({ url: 'y' }),
      (task) => task.reschedule('2999-01-01T00:00:00.000Z'),
      (task) => task.arrange({ add: [{ task: other.id }] }),
    ];
    const other = await (await JobQueue.in(service)).enqueue({});
    const caught = await held();
    const done = await jobs.enqueue({});
    for (const _ of STEPS) await jobs.complete((await jobs.claim())!);
    const states = [await jobs.enqueue({}, { labels: { other: 'x' } }), caught, done];
    for (const step of STEPS) states.push(taskOf(await runningAt(step)));
    states.push(await failedWithoutOthers());
    const deleted = await failedWithoutOthers();
    await deleted.delete();
    states.push(deleted);
    for (const task of states) {
      const before = await task.get();
      for (const attempt of tries)
        expect(['COMMAND_NOT_OFFERED', 'ILLEGAL_TRANSITION']).toContain((await refusalOf(attempt(task))).code);
      if (before.state !== 'failed') await refusalOf(task.retry());
      if (!['failed', 'held', 'deleted'].includes(before.state)) await refusalOf(task.delete());
      if (before.state !== 'held' && before.state !== 'pending') await refusalOf(task.release());
      expect(await task.get()).toMatchObject({ stateName: before.stateName, revision: before.revision });
    }
    await lift();
  });

  it('S2-28 stay when operators change what a job knows, which a DELETED one does not allow', async () => {
    const failed = await failedWithoutOthers();
    for (const task of [await jobs.enqueue({}), taskOf(await runningAt('Processing')), failed]) {
      const { stateName } = await task.get();
      await task.annotate({ note: 'x' });
      expect(await task.get()).toMatchObject({ stateName, data: { note: 'x' } });
    }
    await failed.delete();
    expect((await refusalOf(failed.annotate({ note: 'y' }))).code).toBe('ILLEGAL_TRANSITION');
  });

  it('S2-28 take no report from a worker that does not have them', async () => {
    const reports: readonly SettleVerdict[] = [
      { type: 'succeed' },
      { type: 'fail', error: { message: 'late' } },
      { type: 'completeStep', step: 'Notify', then: 'offer' },
      { type: 'record', data: { late: true } },
      { type: 'reportError', error: { message: 'late' } },
      { type: 'return' },
      { type: 'confirmCancel' },
      { type: 'cancel' },
    ];
    const caught = await held();
    const done = await jobs.enqueue({});
    for (const _ of STEPS) await jobs.complete((await jobs.claim())!);
    const waiting = await jobs.enqueue({});
    const deleted = await failedWithoutOthers();
    await deleted.delete();
    const running = await Promise.all(STEPS.map(runningAt));
    const failed = await failedWithoutOthers();
    for (const task of [waiting, caught, ...running.map(taskOf), failed, deleted, done]) {
      const before = await task.get();
      for (const verdict of reports)
        expect(['LEASE_LOST', 'ILLEGAL_TRANSITION']).toContain(
          await jobs.report({ taskId: task.id, token: `999999.${task.id}` } as ClaimedTask, verdict),
        );
      expect(await task.get()).toMatchObject({ stateName: before.stateName, revision: before.revision });
    }
    await lift();
  });

  it.each(['Estimating', 'Provisioning'] as const)(
    'S2-28 have no way from %s to Failed, whatever its worker reports',
    async (step) => {
      const reports: readonly SettleVerdict[] = [
        { type: 'fail', error: { message: 'no' }, final: true },
        { type: 'reportError', error: { message: 'no' } },
        { type: 'confirmCancel' },
        { type: 'cancel', reason: 'the worker stops' },
        { type: 'return' },
      ];
      let task = await jobs.at(step);
      for (const verdict of reports) {
        await jobs.report(task, verdict);
        expect(await jobs.nameOf(taskOf(task))).toBe(step);
        if ((await taskOf(task).get()).state === 'pending') task = await jobs.next(step);
      }
    },
  );

  it.each(STEPS)('S2-28 has no way from %s to its end around the other steps', async (step) => {
    const task = await jobs.at(step);
    const last = step === 'Notify';
    if (!last) expect(await jobs.report(task, { type: 'succeed' })).toBe('STEP_OUT_OF_ORDER');
    const skipped = STEPS.find((other) => other !== step)!;
    expect(await jobs.complete(task, { step: skipped })).toBe('STEP_OUT_OF_ORDER');
    expect(await jobs.nameOf(taskOf(task))).toBe(step);
  });
});

/** Another queue, so that the others' jobs are not in the way. */
const runningAt = async (step: Step) => (await JobQueue.in(service)).at(step);
const failedWithoutOthers = async () => (await JobQueue.in(service)).failedAt('Processing');

describe('a failed job', () => {
  it.each(RESUMABLE)('S2-50 resumes at %s, where it stopped, and repeats no step before', async (step) => {
    const job = await jobs.failedAt(step);
    expect(await job.get()).toMatchObject({ stateName: 'Failed', step });
    await job.retry({ step });
    expect(await jobs.nameOf(job)).toBe(step);
    expect(await jobs.claim()).toMatchObject({ taskId: job.id, step });
  });

  it('S2-50 resumes at another step only with an override, which is recorded', async () => {
    const job = await jobs.failedAt('Recording');
    expect(await refusalOf(job.retry({ step: 'Downloading' }))).toMatchObject({
      code: 'RETRY_STEP_NEEDS_OVERRIDE',
      problem: { implied: 'Recording' },
    });
    await job.retry({ step: 'Downloading', override: true });
    expect((await job.history()).at(-1)).toMatchObject({
      type: 'TaskRetried',
      data: { step: 'Downloading', override: true },
    });
    expect(await jobs.claim()).toMatchObject({ step: 'Downloading' });
  });

  it('S2-50 resumes at a later step only with an override, which is recorded', async () => {
    const job = await jobs.failedAt('Processing');
    expect(await refusalOf(job.retry({ step: 'Notify' }))).toMatchObject({
      code: 'RETRY_STEP_NEEDS_OVERRIDE',
      problem: { implied: 'Processing' },
    });
    expect(await jobs.nameOf(job)).toBe('Failed');
    await job.retry({ step: 'Notify', override: true });
    expect((await job.history()).at(-1)).toMatchObject({ data: { step: 'Notify', override: true } });
    expect(await jobs.claim()).toMatchObject({ step: 'Notify' });
  });

  it.each(['Estimating', 'Provisioning'] as const)('S2-50 never resumes at %s, whatever the override', async (step) => {
    const job = await jobs.failedAt('Downloading');
    expect(await refusalOf(job.retry({ step, override: true }))).toMatchObject({
      code: 'STEP_NOT_RESUMABLE',
      status: 409,
    });
    expect(await jobs.nameOf(job)).toBe('Failed');
  });

  it('S2-51 counts each time it is run again', async () => {
    const job = await jobs.failedAt('Downloading');
    expect(await job.get()).toMatchObject({ retries: 0 });
    for (const retries of [1, 2]) {
      await job.retry();
      await jobs.fail((await jobs.claim('Downloading'))!);
      expect(await job.get()).toMatchObject({ retries, stateName: 'Failed' });
    }
  });

  it('S2-33 has no recovery if its submission was rejected, but can be deleted', async () => {
    const error = { message: 'Expected digest abc, but the payload has def', class: 'business' } as const;
    const job = await jobs.enqueue({ url: 'x' }, { rejected: error });
    expect(await job.get()).toMatchObject({ stateName: 'Failed', error });
    for (const step of RESUMABLE)
      expect(await refusalOf(job.retry({ step, override: true }))).toMatchObject({ code: 'FAILURE_IS_FINAL' });
    await job.delete();
    expect(await jobs.nameOf(job)).toBe('DELETED');
  });

  it('S2-33 is the same job if its rejected submission is sent again', async () => {
    const id = '0190a000-0000-7000-8000-00000000aa33';
    const given = [{ url: 'x' }, { id, rejected: { message: 'corrupt' } }] as const;
    await jobs.enqueue(...given);
    expect(await jobs.handle.enqueue(...given)).toMatchObject({ id, status: 'existing' });
  });
});

describe('a hold on the collection', () => {
  it('S2-34 catches a job while it is Pending, also if it was queued before', async () => {
    expect(await jobs.nameOf(await held())).toBe('Held');
    await lift();
  });

  it('S2-34 catches no job that has left Pending, not even between two steps', async () => {
    const job = await jobs.enqueue({}, { labels: COLLECTION });
    const task = await jobs.claim();
    await place();
    await jobs.complete(task!);
    const next = await jobs.claim();
    expect(next).toMatchObject({ taskId: job.id, step: 'Provisioning' });
    await jobs.report(next!, { type: 'return' });
    expect(await jobs.claim('Provisioning')).toMatchObject({ taskId: job.id });
    await lift();
  });

  it('S2-35 takes two keys: the job is released by hand, and not before the hold is lifted', async () => {
    const job = await held();
    expect(await refusalOf(job.release())).toMatchObject({ code: 'HOLD_IN_FORCE' });
    await lift();
    expect(await jobs.nameOf(job)).toBe('Held');
    await job.release();
    expect(await jobs.nameOf(job)).toBe('Estimating');
  });

  it('S2-35 catches no job that was released from an earlier one', async () => {
    const job = await held();
    await lift();
    await job.release();
    await place();
    expect(await jobs.claim('Estimating')).toMatchObject({ taskId: job.id });
    await lift();
  });
});

it('S2-30 is lower by 10 for the jobs of a batch of more than 1,000, by the rule of the preset', async () => {
  expect([await prioritiesOf(1_000), await prioritiesOf(1_001)]).toEqual([[0], [-10]]);
});

/** The priorities of as many jobs, which are planned as a batch. */
async function prioritiesOf(size: number, labels: Readonly<Record<string, string>> = {}): Promise<readonly number[]> {
  const plan = service.waybill.planBatch({ name: `of ${size}` });
  for (let each = 0; each < size; each++) plan.add(jobs.handle.name, {}, { labels });
  const { id } = await plan.submit();
  const priorities = new Set<number>();
  for await (const { priority } of service.waybill.tasks.list({ batch: id })) priorities.add(priority);
  return [...priorities];
}

describe('the priority of a job', () => {
  beforeEach(async () => {
    jobs = await JobQueue.in(service, {
      priority: {
        from: 'rules',
        rules: [
          { label: 'profile', value: 'urgent', add: 100 },
          { batchAbove: 10, add: -5 },
          { batchAbove: 1_000, add: -50 },
        ],
      },
    });
  });

  it('S2-30 follows from its profile and the size of its batch', async () => {
    const given = [
      [{ profile: 'urgent' }, 1],
      [{ profile: 'urgent' }, 11],
      [{ profile: 'urgent' }, 5_000],
      [{ profile: 'other' }, 5_000],
    ] as const;
    const priorities: number[] = [];
    for (const [labels, batchSize] of given)
      priorities.push((await (await jobs.enqueue({}, { labels, batchSize })).get()).priority);
    expect(priorities).toEqual([100, 95, 45, -55]);
  });

  it('S2-30 follows from the size of the batch that is planned, which nobody has to say', async () => {
    const urgent = { profile: 'urgent' };
    expect([await prioritiesOf(10, urgent), await prioritiesOf(11, urgent)]).toEqual([[100], [95]]);
  });

  it('S2-30 is not given by the caller', async () => {
    expect(await refusalOf(jobs.enqueue({}, { priority: 7 }))).toMatchObject({
      code: 'PRIORITY_NOT_TAKEN',
      status: 422,
    });
  });
});

describe('with API keys', () => {
  const keyOf = (name: string, may: readonly string[]) => ({
    name,
    sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
    may,
  });
  let keyed: RunningService;
  let as: (name: string) => Waybill;
  beforeAll(async () => {
    const apiKeys = [
      keyOf('team', ['operate', 'read', 'enqueue', 'work']),
      keyOf('depositor', ['enqueue', 'read', 'work']),
    ];
    keyed = await startService({ apiKeys: apiKeys as never });
    as = (name) => createWaybill({ url: keyed.url, apiKey: `wb_${name}` });
  });
  afterAll(() => keyed.stop());

  it('S2-27 only the operating team moves jobs along the administrative edges', async () => {
    const ofTeam = await JobQueue.in({ ...keyed, waybill: as('team') });
    const failed = await ofTeam.failedAt('Downloading');
    const edges: readonly ((task: TaskHandle) => Promise<unknown>)[] = [
      ...RESUMABLE.map((step) => (task: TaskHandle) => task.retry({ step, override: true })),
      (task) => task.release(),
      (task) => task.delete(),
    ];
    for (const edge of edges)
      expect(await refusalOf(edge(as('depositor').task(failed.id)))).toMatchObject({ status: 403 });
    for (const step of RESUMABLE) {
      await failed.retry({ step, override: true });
      await ofTeam.fail((await ofTeam.claim(step))!);
    }
    await failed.delete();
    expect(await ofTeam.nameOf(failed)).toBe('DELETED');
  });

  it('S2-27 only the operating team releases and deletes held jobs', async () => {
    const ofTeam = await JobQueue.in({ ...keyed, waybill: as('team') });
    const [one, other] = [
      await ofTeam.enqueue({}, { labels: COLLECTION }),
      await ofTeam.enqueue({}, { labels: COLLECTION }),
    ];
    await as('team').holds.place('maps', COLLECTION);
    await ofTeam.claim();
    await as('team').holds.lift('maps');
    await one.release();
    await other.delete();
    expect([await ofTeam.nameOf(one), await ofTeam.nameOf(other)]).toEqual(['Estimating', 'DELETED']);
  });
});
