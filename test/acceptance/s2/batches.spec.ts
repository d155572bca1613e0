import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BatchHandle, createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { uuidv7 } from 'uuidv7';
import { derivedId } from '../../../src/application/kernel/derived-id.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';
import { Submissions } from './submissions.js';

const keyOf = (name: string, may: readonly ('enqueue' | 'work' | 'operate' | 'read' | 'admin')[]) => ({
  name,
  may,
  sha256: createHash('sha256').update(name).digest('hex'),
});
const KEYS = [
  keyOf('depositor', ['enqueue', 'read']),
  keyOf('team', ['enqueue', 'work', 'operate', 'read', 'admin']),
  keyOf('worker', ['work', 'enqueue', 'read']),
];

let service: RunningService;
let team: Waybill;
let depositor: Waybill;
let submissions: Submissions;
beforeAll(async () => {
  service = await startService({ apiKeys: KEYS as never });
  const as = (apiKey: string) => createWaybill({ url: service.url, apiKey });
  [team, depositor] = [as('team'), as('depositor')];
});
afterAll(() => service.stop());
beforeEach(async () => {
  submissions = await Submissions.of(service, { waybill: team });
});

const nameOf = async (batch: BatchHandle): Promise<string> => (await batch.get()).stateName;

/** A submission of a collection that a hold catches, and the name of the hold. */
async function held(): Promise<{ readonly batch: BatchHandle; readonly hold: string }> {
  const [hold, labels] = [`hold-${uuidv7()}`, { collection: uuidv7() }];
  await team.holds.place(hold, labels, { reason: 'the rights are being cleared' });
  const batch = await submissions.submit({ labels });
  await submissions.claimPlanner();
  await submissions.becomes(batch, 'Held');
  return { batch, hold };
}

async function ended(ends: Readonly<Record<string, 'succeed' | 'fail'>>, as: string): Promise<BatchHandle> {
  const batch = await submissions.planned(Object.keys(ends));
  await submissions.run(ends);
  await submissions.becomes(batch, as);
  return batch;
}

const failed = (): Promise<BatchHandle> => ended({ a: 'succeed', b: 'fail' }, 'Failed');

/** A submission in each of the eight states. */
const IN_STATE: Readonly<Record<string, () => Promise<BatchHandle>>> = {
  Pending: () => submissions.submit(),
  Held: async () => (await held()).batch,
  Processing: async () => {
    const batch = await submissions.submit();
    await submissions.claimPlanner();
    return batch;
  },
  Reporting: () => submissions.planned(['a', 'b']),
  COMPLETED: () => ended({ a: 'succeed' }, 'COMPLETED'),
  Failed: failed,
  UpdateReporting: async () => {
    const batch = await failed();
    await sweeping(false);
    await batch.report();
    return batch;
  },
  DELETED: async () => {
    const batch = await failed();
    await batch.delete();
    return batch;
  },
};

/** Without a sweeper, nothing ends by itself: another process seems to lead for less than a minute, or has gone away. */
async function sweeping(isOn: boolean): Promise<void> {
  await service.pool.query(
    `update leaders set epoch = epoch + 1, deadline = now() + $1::interval where role = 'sweeper'`,
    [isOn ? '-1 second' : '50 seconds'],
  );
}

/** What somebody, or the planner's worker, can say to a submission, and in which states it is taken. */
const COMMANDS: Readonly<
  Record<string, { readonly in: readonly string[]; give(batch: BatchHandle): Promise<unknown> }>
> = {
  open: { in: ['Processing'], give: (batch) => batch.open(0) },
  release: { in: ['Held'], give: (batch) => batch.release() },
  report: { in: ['Failed'], give: (batch) => batch.report() },
  rerun: { in: [], give: (batch) => batch.rerun() },
  abort: { in: [], give: (batch) => batch.abort() },
  delete: { in: ['Held', 'Failed'], give: (batch) => batch.delete() },
};

describe('the states of a submission', () => {
  it('S2-01 are those of the repository, by the preset of its queue', async () => {
    const batch = await submissions.submit();
    expect(await batch.get()).toMatchObject({ preset: 'repository', stateName: 'Pending', phase: 'pending' });
    const file = await readFile('presets/batches/repository.json', 'utf8');
    const { vocabulary } = JSON.parse(file) as { readonly vocabulary: Readonly<Record<string, string>> };
    expect(new Set(Object.values(vocabulary))).toEqual(new Set(Object.keys(IN_STATE)));
  });

  it.each(Object.entries(IN_STATE))('S2-01 one is %s', async (name, make) => {
    const batch = await make();
    expect(await nameOf(batch)).toBe(name);
    await sweeping(true);
  });

  it('S2-02 follow one another by themselves: from the start to the report', async () => {
    const batch = await submissions.submit();
    expect(await nameOf(batch)).toBe('Pending');
    const planner = await submissions.claimPlanner();
    expect(await nameOf(batch)).toBe('Processing');
    await submissions.settle([planner], () => 'return');
    await submissions.plan(batch, ['a', 'b']);
    expect(await nameOf(batch)).toBe('Reporting');
    await submissions.run({ a: 'succeed', b: 'succeed' });
    await submissions.becomes(batch, 'COMPLETED');
  });

  it('S2-02 end as Failed with a job, and from there as COMPLETED or Failed again', async () => {
    const batch = await ended({ a: 'fail', b: 'fail' }, 'Failed');
    for (const [ends, state] of [
      [{ a: 'succeed', b: 'fail' }, 'Failed'],
      [{ b: 'succeed' }, 'COMPLETED'],
    ] as const) {
      await submissions.retry(batch, ...Object.keys(ends));
      await submissions.run(ends);
      await batch.report();
      await until('the next report', async () => {
        const { state: now } = await batch.get();
        return now === 'reporting' ? null : true;
      });
      expect(await nameOf(batch)).toBe(state);
    }
  });

  it('S2-03 are changed by the team only: release, report by hand, deletion', async () => {
    const { batch } = await held();
    const other = await failed();
    for (const call of [
      depositor.batch(batch.id).release(),
      depositor.batch(batch.id).delete(),
      depositor.batch(other.id).report(),
      depositor.batch(other.id).delete(),
    ])
      expect(await refusalOf(call)).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect([await nameOf(batch), await nameOf(other)]).toEqual(['Held', 'Failed']);
  });

  it.each(Object.keys(IN_STATE))('S2-04 when %s, a submission takes just what this state allows', async (name) => {
    for (const [command, { in: allowed, give }] of Object.entries(COMMANDS)) {
      if (allowed.includes(name)) continue;
      const batch = await IN_STATE[name]!();
      const before = await batch.get();
      const refusal = await refusalOf(give(batch));
      expect([command, refusal.status]).toEqual([command, 409]);
      // In Failed, the submission may be run again as a batch, but not by its policy.
      if (name !== 'Failed' || command !== 'rerun') expect(refusal.message).toContain(`when it is ${name}`);
      expect(await batch.get()).toMatchObject({ stateName: name, revision: before.revision });
      await sweeping(true);
    }
  });

  it.each(Object.keys(IN_STATE))(
    'S2-04 when %s, a report of a planner whose claim is over is refused',
    async (name) => {
      const batch = await IN_STATE[name]!();
      const { planner } = await batch.get();
      const verdict = { type: 'succeed' };
      const [result] = await team.settle([{ taskId: planner!, token: `999999.${uuidv7()}`, verdict }] as never);
      expect(['LEASE_LOST', 'ILLEGAL_TRANSITION']).toContain((result as { problem: { code: string } }).problem.code);
      expect(await nameOf(batch)).toBe(name);
      await sweeping(true);
    },
  );

  it('S2-04 from Reporting on, a late report of the worker that planned it is refused in each state', async () => {
    const batch = await submissions.submit();
    const { taskId, token } = await submissions.claimPlanner();
    await team.queue(submissions.jobs).enqueue({}, { batch: batch.id, reference: 'a' });
    await batch.open(1);
    await submissions.told({ taskId, token } as never, { type: 'succeed' });
    const refused = async (stateName: string) => {
      const { revision } = await submissions.becomes(batch, stateName);
      for (const verdict of [{ type: 'fail', error: { message: 'late' } }, { type: 'return' }] as const) {
        const [late] = await team.settle([{ taskId, token, verdict }]);
        expect(late).toMatchObject({ problem: { code: 'LEASE_LOST' } });
      }
      expect(await batch.get()).toMatchObject({ stateName, revision, error: null });
    };
    await refused('Reporting');
    await submissions.run({ a: 'fail' });
    await refused('Failed');
    await sweeping(false);
    await batch.report();
    await refused('UpdateReporting');
    await sweeping(true);
    await submissions.becomes(batch, 'Failed');
    await submissions.retry(batch, 'a');
    await submissions.run({ a: 'succeed' });
    await batch.report();
    await refused('COMPLETED');
  });

  it('S2-04 when Reporting, the failure of its planner changes nothing any more', async () => {
    const batch = await submissions.submit();
    const planner = await submissions.claimPlanner();
    await team.queue(submissions.jobs).enqueue({}, { batch: batch.id, reference: 'a' });
    await batch.open(1);
    expect(await nameOf(batch)).toBe('Reporting');
    await submissions.settle([planner], () => 'fail');
    const other = await submissions.submit();
    await submissions.settle([await submissions.claimPlanner()], () => 'fail');
    await submissions.becomes(other, 'Failed');
    expect(await batch.get()).toMatchObject({ stateName: 'Reporting', open: 1, error: null });
    await submissions.run({ a: 'succeed' });
    await submissions.becomes(batch, 'COMPLETED');
  });

  it('S2-05 Pending, it is ready to be processed; Held, it is given to nobody until the hold is lifted and it is released', async () => {
    const { batch, hold } = await held();
    await team.holds.lift(hold);
    expect(await team.queue(submissions.queue).claim({ worker: 'early' })).toEqual([]);
    const pending = await submissions.submit();
    expect(await nameOf(pending)).toBe('Pending');
    expect((await submissions.claimPlanner()).plans).toBe(pending.id);
    await batch.release();
    expect((await submissions.claimPlanner()).plans).toBe(batch.id);
  });

  it('S2-05 with a planner that failed, it is Failed without jobs: no report, but deletion', async () => {
    const batch = await submissions.submit();
    await submissions.settle([await submissions.claimPlanner()], () => 'fail');
    expect(await submissions.becomes(batch, 'Failed')).toMatchObject({ total: 0, reports: 0, error: 'no such file' });
    expect(await refusalOf(batch.report())).toMatchObject({ code: 'BATCH_ILLEGAL_TRANSITION' });
    await batch.delete();
    expect(await nameOf(batch)).toBe('DELETED');
  });

  it('S2-02 whose planner waits for another time, or was cancelled before it began, is Pending still', async () => {
    const commands = ['EnqueueTask', 'RescheduleTask', 'CancelTask', 'RetryTask'] as const;
    submissions = await Submissions.of(service, { waybill: team, policy: { commands } });
    const batch = await submissions.submit();
    const planner = team.task((await batch.get()).planner!);
    await planner.reschedule('2999-01-01T00:00:00.000Z');
    expect(await nameOf(batch)).toBe('Pending');
    await planner.cancel();
    await planner.retry();
    expect(await nameOf(batch)).toBe('Pending');
  });

  it('S2-02 whose planner was given back is Processing still', async () => {
    const batch = await submissions.submit();
    await submissions.settle([await submissions.claimPlanner()], () => 'return');
    expect(await nameOf(batch)).toBe('Processing');
  });

  it('S2-10 a submission of a held collection is Held, and any other is processed', async () => {
    const { batch } = await held();
    const other = await submissions.submit({ labels: { collection: uuidv7() } });
    await submissions.claimPlanner();
    expect([await nameOf(batch), await nameOf(other)]).toEqual(['Held', 'Processing']);
  });

  it('S2-11 lifting the hold moves nothing, and the release is refused before', async () => {
    const { batch, hold } = await held();
    expect(await refusalOf(batch.release())).toMatchObject({ code: 'HOLD_IN_FORCE' });
    await team.holds.lift(hold);
    expect(await nameOf(batch)).toBe('Held');
    await batch.release();
    expect(await nameOf(batch)).toBe('Processing');
  });
});

describe('the planning of a submission', () => {
  let open: RunningService;
  beforeAll(async () => {
    open = await startService();
  });
  afterAll(() => open.stop());
  beforeEach(async () => {
    submissions = await Submissions.of(open);
  });

  it('S2-14 gives it the ids and states of its jobs, and opens it', async () => {
    const batch = await submissions.planned(['a', 'b', 'c']);
    expect(await batch.get()).toMatchObject({ stateName: 'Reporting', total: 3, open: 3, plannerState: 'succeeded' });
    const { items } = await open.waybill.tasks.page({ batch: batch.id });
    expect(items.map(({ reference, state, batch: of }) => [reference, state, of]).sort()).toEqual(
      ['a', 'b', 'c'].map((name) => [name, 'pending', batch.id]),
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
    expect(await batch.tally()).toEqual([
      { queue: submissions.jobs, step: null, state: 'pending', stateName: 'pending', tasks: 3 },
    ]);
  });

  it('S2-15 makes the submission and its planner, or neither', async () => {
    const refused = await refusalOf(open.waybill.createBatch({ name: 'x', plan: { queue: 'nowhere' } }));
    expect(refused).toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    const id = uuidv7();
    expect(await refusalOf(open.waybill.createBatch({ id, name: 'x', plan: { queue: 'nowhere' } }))).toMatchObject({
      code: 'QUEUE_NOT_FOUND',
    });
    expect(await refusalOf(open.waybill.batch(id).get())).toMatchObject({ code: 'BATCH_NOT_FOUND' });
    const [one, again] = [await submissions.submit({ id }), await submissions.submit({ id })];
    expect(await again.get()).toEqual(await one.get());
  });

  it('S2-15 runs no job before all are there, and goes on where a planner died', async () => {
    const batch = await submissions.submit();
    await submissions.claimPlanner('dies');
    const idOf = (ordinal: number) => derivedId(`batch ${batch.id}`, String(ordinal));
    const job = (name: string, ordinal: number) => ({ id: idOf(ordinal), reference: name, payload: { job: name } });
    const tasks = ['a', 'b'].map((name, at) => ({ ...job(name, at), batch: batch.id, queue: submissions.jobs }));
    await open.waybill.enqueueMany(tasks);
    expect(await open.waybill.queue(submissions.jobs).claim({ worker: 'w' })).toEqual([]);
    await open.passTime('13 hours');
    await submissions.plan(batch, ['a', 'b', 'c']);
    expect(await batch.get()).toMatchObject({ stateName: 'Reporting', total: 3 });
    await submissions.run({ a: 'succeed', b: 'succeed', c: 'succeed' });
    await submissions.becomes(batch, 'COMPLETED');
  });

  it('S2-15 refuses to open a submission short, and one whose planner adds other jobs than before', async () => {
    const batch = await submissions.submit();
    await submissions.claimPlanner('dies');
    expect(await refusalOf(batch.open(1))).toMatchObject({
      code: 'BATCH_INCOMPLETE',
      problem: { expected: 1, actual: 0 },
    });
    const other = { id: derivedId(`batch ${batch.id}`, '0'), batch: batch.id, queue: submissions.jobs, reference: 'z' };
    await open.waybill.enqueueMany([other]);
    await open.passTime('13 hours');
    const worker = open.waybill.worker({ logger: null, waitMs: 50 }).plan(submissions.queue, (_, plan) => {
      plan.add(submissions.jobs, { job: 'a' }, { reference: 'a' });
    });
    await worker.start();
    expect((await submissions.becomes(batch, 'Failed')).error).toContain('Expected a new id');
    await worker.stop();
  });

  it('S2-16 that fails gives the submission its error, and none of the jobs that it had added runs', async () => {
    const batch = await submissions.submit();
    const planner = await submissions.claimPlanner();
    await open.waybill.queue(submissions.jobs).enqueue({}, { batch: batch.id, reference: 'a' });
    await submissions.settle([planner], () => 'fail');
    expect(await submissions.becomes(batch, 'Failed')).toMatchObject({ error: 'no such file' });
    await until('the job to be aborted', async () => {
      return (await submissions.job(batch, 'a')).state === 'aborted' ? true : null;
    });
    expect(await open.waybill.queue(submissions.jobs).claim({ worker: 'w' })).toEqual([]);
    expect(await nameOf(batch)).toBe('Failed');
  });
});
