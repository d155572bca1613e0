import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BatchHandle } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { type MailSink, startMailSink } from '../../support/sinks/mail-sink.js';
import { startWebhookSink, type WebhookSink } from '../../support/sinks/webhook-sink.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';
import { changesIn, Submissions } from './submissions.js';

let service: RunningService;
let submissions: Submissions;
let mails: MailSink;
let hooks: WebhookSink;
beforeAll(async () => {
  [mails, hooks] = await Promise.all([startMailSink(), startWebhookSink()]);
  service = await startService({
    smtpUrl: mails.url,
    mailFrom: 'Repository <repository@example.com>',
    webhookSecrets: { shop: `whsec_${Buffer.from('x'.repeat(24)).toString('base64')}` },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mails.stop(), hooks.stop()]);
});
beforeEach(async () => {
  submissions = await Submissions.of(service);
});

/** A submission whose jobs have ended so. */
async function ended(
  ends: Readonly<Record<string, 'succeed' | 'fail'>>,
  more: Parameters<Submissions['submit']>[0] = {},
): Promise<BatchHandle> {
  const batch = await submissions.planned(Object.keys(ends), more);
  await submissions.run(ends);
  const isComplete = Object.values(ends).every((end) => end === 'succeed');
  await submissions.becomes(batch, isComplete ? 'COMPLETED' : 'Failed');
  return batch;
}

/** Runs jobs again. */
async function again(batch: BatchHandle, ends: Readonly<Record<string, 'succeed' | 'fail'>>): Promise<void> {
  await submissions.retry(batch, ...Object.keys(ends));
  await submissions.run(ends);
}

/** The state after a report by hand. */
async function reported(batch: BatchHandle): Promise<string> {
  await batch.report();
  return until('the report', async () => {
    const { state, stateName } = await batch.get();
    return state === 'reporting' ? null : stateName;
  });
}

describe('the report of a submission', () => {
  it('S2-17 is recorded once, after the last job has ended', async () => {
    const batch = await submissions.planned(['a', 'b']);
    await submissions.run({ a: 'succeed' });
    expect(await batch.get()).toMatchObject({ stateName: 'Reporting', reports: 0, open: 1 });
    await submissions.run({ b: 'fail' });
    await submissions.becomes(batch, 'Failed');
    const reports = await submissions.reports(batch);
    expect(reports).toMatchObject([
      {
        number: 1,
        about: 'batch',
        counts: { total: 2, succeeded: 1, failed: 1 },
        more: 0,
        incomplete: [{ name: 'b' }],
      },
    ]);
    expect(changesIn(reports[0]!)).toEqual({ a: 'succeeded', b: 'failed' });
  });

  it('S2-18 says COMPLETED if all jobs are, and Failed if one is not', async () => {
    const [good, bad] = [await ended({ a: 'succeed', b: 'succeed' }), await ended({ a: 'succeed', b: 'fail' })];
    expect(await good.get()).toMatchObject({ stateName: 'COMPLETED', reports: 1 });
    expect(await bad.get()).toMatchObject({ stateName: 'Failed', reports: 1 });
  });

  it('S2-54 does not count deleted jobs, and names them', async () => {
    const batch = await submissions.planned(['a', 'b']);
    await service.waybill.task((await submissions.job(batch, 'b')).id).hold();
    await submissions.run({ a: 'succeed' });
    expect(await batch.get()).toMatchObject({ stateName: 'Reporting', open: 1 });
    await service.waybill.task((await submissions.job(batch, 'b')).id).delete();
    await submissions.becomes(batch, 'COMPLETED');
    const [report] = await submissions.reports(batch);
    expect(changesIn(report!)).toEqual({ a: 'succeeded', b: 'deleted' });
    expect(report!.incomplete).toEqual([]);
  });

  it('S2-54 does not count a job that is deleted after the report: a report by hand says COMPLETED', async () => {
    const batch = await ended({ a: 'succeed', b: 'fail' });
    await service.waybill.task((await submissions.job(batch, 'b')).id).delete();
    expect(await batch.get()).toMatchObject({ stateName: 'Failed', deleted: 1 });
    expect(await reported(batch)).toBe('COMPLETED');
    expect(changesIn((await submissions.reports(batch))[1]!)).toEqual({ b: 'failed deleted' });
  });

  it('S2-54 of a submission whose jobs are all deleted after its report says Failed again, by hand', async () => {
    const batch = await ended({ a: 'fail', b: 'fail' });
    for (const name of ['a', 'b']) await service.waybill.task((await submissions.job(batch, name)).id).delete();
    expect(await reported(batch)).toBe('Failed');
    expect(changesIn((await submissions.reports(batch))[1]!)).toEqual({ a: 'failed deleted', b: 'failed deleted' });
  });

  it('S2-54 of a submission with a deleted and a failed job says Failed', async () => {
    const batch = await submissions.planned(['a', 'b', 'c']);
    await service.waybill.task((await submissions.job(batch, 'b')).id).delete();
    await submissions.run({ a: 'succeed', c: 'fail' });
    await submissions.becomes(batch, 'Failed');
    expect((await submissions.reports(batch))[0]!.incomplete).toMatchObject([{ name: 'c' }]);
  });

  it('S2-54 of a submission whose jobs are all deleted says Failed', async () => {
    const batch = await submissions.planned(['a']);
    await service.waybill.task((await submissions.job(batch, 'a')).id).delete();
    await submissions.becomes(batch, 'Failed');
    expect(await submissions.reports(batch)).toMatchObject([{ counts: { total: 1, deleted: 1 } }]);
  });
});

describe('reruns of failed jobs', () => {
  it('S2-19 are reported by `update` when somebody asks for it, and until then the submission is Failed', async () => {
    const batch = await ended({ a: 'succeed', b: 'fail' });
    expect((await batch.get()).reRunReporting).toBe('update');
    await again(batch, { b: 'succeed' });
    expect(await batch.get()).toMatchObject({ stateName: 'Failed', failed: 0, succeeded: 2, reports: 1 });
    expect(await reported(batch)).toBe('COMPLETED');
    expect(changesIn((await submissions.reports(batch))[1]!)).toEqual({ b: 'failed succeeded' });
  });

  it('S2-19 are reported by `own` each by itself, also if a job fails again, and nothing by hand', async () => {
    const batch = await ended({ a: 'fail', b: 'fail', c: 'fail' }, { reRunReporting: 'own' });
    await again(batch, { a: 'succeed' });
    await again(batch, { b: 'fail' });
    const reports = await until('two more reports', async () => {
      const found = await submissions.reports(batch);
      return found.length === 3 ? found : null;
    });
    expect(reports.slice(1)).toMatchObject([
      { number: 2, about: 'task', counts: null, changes: [{ name: 'a', state: 'succeeded' }] },
      { number: 3, about: 'task', counts: null, changes: [{ name: 'b', state: 'failed' }] },
    ]);
    expect(await batch.get()).toMatchObject({ stateName: 'Failed', reports: 3 });
    expect(await refusalOf(batch.report())).toMatchObject({ code: 'RE_RUNS_REPORTED_OTHERWISE' });
  });

  it('S2-19 are reported by `auto` once all have ended again', async () => {
    const batch = await ended({ a: 'fail', b: 'succeed' }, { reRunReporting: 'auto' });
    await again(batch, { a: 'succeed' });
    await submissions.becomes(batch, 'COMPLETED');
    expect(changesIn((await submissions.reports(batch))[1]!)).toEqual({ a: 'failed succeeded' });
  });

  it('S2-19 are made by `rerun-batch` in a batch of their own, which reports like any other', async () => {
    const batch = await ended({ a: 'fail', b: 'succeed', c: 'fail' }, { reRunReporting: 'rerun-batch' });
    const job = service.waybill.task((await submissions.job(batch, 'a')).id);
    expect(await refusalOf(job.retry())).toMatchObject({ code: 'RERUN_IN_BATCH' });
    const rerun = await batch.rerun();
    expect((await batch.rerun()).id).toBe(rerun.id);
    await submissions.becomes(rerun, 'Reporting');
    expect(await rerun.get()).toMatchObject({ rerunOf: batch.id, total: 2 });
    expect(await batch.get()).toMatchObject({ rerun: rerun.id, stateName: 'Failed' });
    await submissions.run({ a: 'succeed', c: 'succeed' });
    await submissions.becomes(rerun, 'COMPLETED');
    expect(await submissions.reports(rerun)).toHaveLength(1);
  });

  /** A failed submission whose jobs have the steps `download` and `record`. One of them failed at `record`. */
  async function failedAtRecord(): Promise<BatchHandle> {
    submissions = await Submissions.of(service, { jobs: { steps: ['download', 'record'], uniqueReference: 'open' } });
    const batch = await submissions.planned(['a', 'b'], { reRunReporting: 'rerun-batch' });
    const [a, b] = await service.waybill.queue(submissions.jobs).claim({ worker: 'w', max: 2 });
    await submissions.told(a!, { type: 'completeStep', step: 'download', then: 'continue', data: { file: 'a.tif' } });
    await submissions.told(a!, { type: 'fail', error: { message: 'no database' } });
    await submissions.told(b!, { type: 'completeStep', step: 'download', then: 'continue' });
    await submissions.told(b!, { type: 'succeed' });
    await submissions.becomes(batch, 'Failed');
    return batch;
  }

  it('S2-19 by `rerun-batch` go on at the step that failed, with the data of the job, and stand for it when they succeed', async () => {
    const batch = await failedAtRecord();
    const job = await submissions.job(batch, 'a');
    const rerun = await batch.rerun();
    await submissions.becomes(rerun, 'Reporting');
    const copy = await submissions.job(rerun, 'a');
    expect(await service.waybill.task(copy.id).get()).toMatchObject({
      rerunOf: job.id,
      rerun: null,
      lastStep: 'download',
      data: { file: 'a.tif' },
    });
    expect(await service.waybill.task(job.id).get()).toMatchObject({ rerunOf: null, rerun: copy.id, state: 'failed' });
    const [claimed, ...others] = await service.waybill
      .queue(submissions.jobs)
      .claim({ worker: 'w', steps: ['record'] });
    expect([claimed, others]).toMatchObject([
      { taskId: copy.id, step: 'record', lastSuccessfulStep: 'download', data: { file: 'a.tif' } },
      [],
    ]);
    await submissions.told(claimed!, { type: 'succeed' });
    await submissions.becomes(rerun, 'COMPLETED');
    const superseded = await until('the job to be superseded', async () => {
      const task = await service.waybill.task(job.id).get();
      return task.state === 'superseded' ? task : null;
    });
    expect(superseded.rerun).toBe(copy.id);
    await submissions.becomes(batch, 'COMPLETED');
    expect(await batch.get()).toMatchObject({ succeeded: 2, failed: 0, rerun: rerun.id, reports: 1 });
  });

  it('S2-19 by `rerun-batch` can be run again in their turn, and the last success stands for all', async () => {
    const batch = await failedAtRecord();
    const jobs = [await submissions.job(batch, 'a')];
    let rerun = batch;
    for (const end of ['fail', 'succeed'] as const) {
      rerun = await rerun.rerun();
      await submissions.becomes(rerun, 'Reporting');
      jobs.push(await submissions.job(rerun, 'a'));
      const [copy] = await service.waybill.queue(submissions.jobs).claim({ worker: 'w' });
      expect(copy).toMatchObject({ taskId: jobs.at(-1)!.id, step: 'record', data: { file: 'a.tif' } });
      await submissions.settle([copy!], () => end);
      await submissions.becomes(rerun, end === 'fail' ? 'Failed' : 'COMPLETED');
    }
    const states = () => Promise.all(jobs.map(async ({ id }) => (await service.waybill.task(id).get()).state));
    await until('both to be superseded', async () =>
      (await states()).join() === 'superseded,superseded,succeeded' ? true : null,
    );
  });

  it('S2-19 by `rerun-batch` leave out jobs that failed for good, and fail if there are no others', async () => {
    const batch = await submissions.planned(['a', 'b', 'c'], { reRunReporting: 'rerun-batch' });
    await service.waybill.task((await submissions.job(batch, 'c')).id).abort();
    for (const job of await service.waybill.queue(submissions.jobs).claim({ worker: 'w', max: 2 })) {
      const final = job.reference === 'b';
      await submissions.told(job, { type: 'fail', error: { message: 'broken' }, final });
    }
    await submissions.becomes(batch, 'Failed');
    const rerun = await batch.rerun();
    await submissions.becomes(rerun, 'Reporting');
    expect(await rerun.get()).toMatchObject({ total: 1 });
    const [copy] = await service.waybill.queue(submissions.jobs).claim({ worker: 'w' });
    expect(copy!.reference).toBe('a');
    await submissions.told(copy!, { type: 'fail', error: { message: 'broken' }, final: true });
    await submissions.becomes(rerun, 'Failed');
    const last = await rerun.rerun();
    await submissions.becomes(last, 'Failed');
    expect((await last.get()).error).toContain('Expected failed tasks to run again, but there is none');
    expect(await batch.get()).toMatchObject({ stateName: 'Failed', failed: 2, aborted: 1 });
  });

  it('S2-19 by `rerun-batch` are one for all jobs of a key of which only one may wait, and stand for all', async () => {
    submissions = await Submissions.of(service, { jobs: { clearFailuresOnSuccess: true } });
    const batch = await submissions.planned(['x'], { reRunReporting: 'rerun-batch' });
    const jobs = service.waybill.queue(submissions.jobs);
    for (const reference of ['a', 'b']) {
      await jobs.enqueue({}, { reference, key: 'k', batch: batch.id });
      await submissions.settle(await jobs.claim({ worker: 'w', max: 2 }), (job) =>
        job.reference === 'x' ? 'succeed' : 'fail',
      );
    }
    await submissions.becomes(batch, 'Failed');
    const rerun = await batch.rerun();
    await submissions.becomes(rerun, 'Reporting');
    expect(await rerun.get()).toMatchObject({ total: 1 });
    await submissions.run({ a: 'succeed' });
    await submissions.becomes(batch, 'COMPLETED');
  });

  it('S2-19 by `rerun-batch` are for jobs that were reported: before that, a failed job is retried as in any other batch', async () => {
    const batch = await submissions.planned(['a', 'b'], { reRunReporting: 'rerun-batch' });
    await submissions.run({ a: 'fail' });
    await submissions.retry(batch, 'a');
    await submissions.run({ a: 'succeed', b: 'fail' });
    await submissions.becomes(batch, 'Failed');
    const job = service.waybill.task((await submissions.job(batch, 'b')).id);
    expect(await refusalOf(job.retry())).toMatchObject({ code: 'RERUN_IN_BATCH' });
  });

  it('S2-19 are reported as the creator chooses, unless the queue forbids it', async () => {
    const batches = { preset: 'repository', reRunReporting: 'update', creatorChooses: false } as const;
    const strict = await Submissions.of(service, { policy: { batches } });
    expect(await refusalOf(strict.submit({ reRunReporting: 'own' }))).toMatchObject({
      code: 'RE_RUN_REPORTING_FIXED',
      problem: { reRunReporting: 'update' },
    });
    expect(await (await strict.submit({ reRunReporting: 'update' })).get()).toMatchObject({ reRunReporting: 'update' });
  });

  it('S2-20 are reported by hand after some of them, and after all', async () => {
    const batch = await ended({ a: 'fail', b: 'fail' });
    await again(batch, { a: 'succeed' });
    expect(await reported(batch)).toBe('Failed');
    await again(batch, { b: 'succeed' });
    expect(await reported(batch)).toBe('COMPLETED');
  });

  it('S2-21 the report has the changed states, and the jobs that are still not complete', async () => {
    const batch = await ended({ a: 'fail', b: 'fail', c: 'fail', d: 'succeed' });
    await again(batch, { a: 'succeed' });
    await service.waybill.task((await submissions.job(batch, 'c')).id).delete();
    await reported(batch);
    const [, report] = await submissions.reports(batch);
    expect(changesIn(report!)).toEqual({ a: 'failed succeeded', c: 'failed deleted' });
    expect(report!.incomplete).toMatchObject([{ name: 'b', state: 'failed' }]);
  });

  it('S2-22 end as COMPLETED if all jobs are complete now, and as Failed if one is failed, held or still at work', async () => {
    const batch = await ended({ a: 'fail', b: 'fail' });
    await again(batch, { a: 'succeed' });
    await submissions.retry(batch, 'b');
    await service.waybill.task((await submissions.job(batch, 'b')).id).hold();
    expect(await reported(batch)).toBe('Failed');
    await service.waybill.task((await submissions.job(batch, 'b')).id).release();
    const [claimed] = await service.waybill.queue(submissions.jobs).claim({ worker: 'w' });
    expect(await reported(batch)).toBe('Failed');
    await submissions.settle([claimed!], () => 'succeed');
    expect(await reported(batch)).toBe('COMPLETED');
    expect((await submissions.reports(batch)).map(changesIn)).toEqual([
      { a: 'failed', b: 'failed' },
      { a: 'failed succeeded', b: 'failed held' },
      { b: 'held succeeded' },
    ]);
  });

  it('S2-23 nothing is recorded if nothing has changed since the last report, also after a job failed again', async () => {
    const batch = await ended({ a: 'fail', b: 'succeed' });
    expect(await reported(batch)).toBe('Failed');
    await again(batch, { a: 'fail' });
    expect(await reported(batch)).toBe('Failed');
    expect(await submissions.reports(batch)).toHaveLength(1);
  });
});

describe('the deletion of a submission', () => {
  it('S2-24 reaches every job that is not complete, also a running one, whose late report is refused', async () => {
    const batch = await ended({ a: 'succeed', b: 'fail', c: 'fail' });
    await submissions.retry(batch, 'c');
    const [running] = await service.waybill.queue(submissions.jobs).claim({ worker: 'late' });
    await batch.delete();
    const states = () => Promise.all(['a', 'b', 'c'].map(async (name) => (await submissions.job(batch, name)).state));
    await until('the jobs to be deleted', async () =>
      (await states()).join() === 'succeeded,deleted,deleted' ? true : null,
    );
    const { taskId, token } = running!;
    const [late] = await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
    expect(late).toMatchObject({ problem: { code: 'LEASE_LOST' } });
    expect(await batch.get()).toMatchObject({ stateName: 'DELETED', total: 3, succeeded: 1, deleted: 2 });
  });

  it('S2-24 reaches a job that is held', async () => {
    const batch = await ended({ a: 'succeed', b: 'fail' });
    await submissions.retry(batch, 'b');
    const job = service.waybill.task((await submissions.job(batch, 'b')).id);
    await job.hold();
    await batch.delete();
    await until('the held job to be deleted', async () => ((await job.get()).state === 'deleted' ? true : null));
    expect(await batch.get()).toMatchObject({ stateName: 'DELETED', succeeded: 1, deleted: 1, open: 0 });
  });

  it('S2-24 reaches jobs in every state but COMPLETED', async () => {
    const names = ['done', 'failed', 'waiting', 'held', 'cancelled', 'aborted', 'undecided'] as const;
    const batch = await submissions.planned(names);
    const found = await Promise.all(names.map((name) => submissions.job(batch, name)));
    const tasks = found.map(({ id }) => service.waybill.task(id));
    const [, failed, waiting, held, cancelled, aborted, undecided] = tasks;
    const jobs = service.waybill.queue(submissions.jobs);
    await aborted!.abort();
    const claimed = await jobs.claim({ worker: 'w', max: 10 });
    await submissions.settle(claimed, ({ reference }) => (reference === 'done' ? 'succeed' : 'fail'));
    await submissions.becomes(batch, 'Failed');
    await jobs.changePolicy({ onFailure: 'decide' }, { ifVersion: (await jobs.get()).policyVersion });
    await undecided!.retry();
    await submissions.settle(await jobs.claim({ worker: 'w' }), () => 'fail');
    for (const one of [waiting!, held!, cancelled!]) await one.retry();
    await held!.hold();
    await cancelled!.cancel();
    const states = () => Promise.all(tasks.map(async (task) => (await task.get()).state));
    expect(await states()).toEqual(['succeeded', 'failed', 'pending', 'held', 'cancelled', 'aborted', 'undecided']);
    await batch.delete();
    const deleted = ['succeeded', ...Array<string>(6).fill('deleted')];
    await until('all jobs but one to be deleted', async () => (await states()).join() === deleted.join() || null);
    expect(await batch.get()).toMatchObject({ stateName: 'DELETED', total: 7, succeeded: 1, deleted: 6, open: 0 });
    expect(await jobs.claim({ worker: 'w' })).toEqual([]);
    expect((await failed!.get()).batch).toBe(batch.id);
  });

  it('S2-24 of one that is Held takes its planner with it', async () => {
    const labels = { collection: `maps-${submissions.queue}` };
    await service.waybill.holds.place(submissions.queue.slice(0, 40), labels);
    const batch = await submissions.submit({ labels });
    await submissions.claimPlanner();
    await submissions.becomes(batch, 'Held');
    await batch.delete();
    await until('the planner to be deleted', async () =>
      (await batch.get()).plannerState === 'deleted' ? true : null,
    );
    expect((await batch.get()).stateName).toBe('DELETED');
  });
});

describe('the mail about a report', () => {
  const ANN = { mail: { to: ['ann@example.com'] } };

  /** The mails of the batch's report once they are delivered. */
  async function mailsOf(batch: BatchHandle, number: number): Promise<readonly string[]> {
    const [{ id }] = await until('the delivery of the report', async () => {
      const report = (await submissions.reports(batch)).find((one) => one.number === number);
      return report?.deliveries[0]?.state === 'succeeded' ? report.deliveries : null;
    }).then((deliveries) => deliveries.slice(0, 1) as unknown as [{ id: string }]);
    return mails.received.filter(({ raw }) => raw.includes(`Message-ID: <${id}@example.com>`)).map(({ raw }) => raw);
  }

  it('S2-17 goes out once, and has an id that follows from the report', async () => {
    const batch = await ended({ a: 'succeed', b: 'succeed' }, { reportTo: ANN });
    const [mail, ...more] = await mailsOf(batch, 1);
    expect(more).toEqual([]);
    expect(mail).toContain('Subject: maps 1723: complete');
    expect(mail).toContain('2 of 2 complete.');
  });

  it('S2-18 goes out whether all jobs are complete or one failed, also for a batch of copies', async () => {
    const good = await ended({ a: 'succeed' }, { reportTo: ANN });
    const bad = await ended({ a: 'succeed', b: 'fail' }, { reportTo: ANN, reRunReporting: 'rerun-batch' });
    const rerun = await bad.rerun();
    await submissions.becomes(rerun, 'Reporting');
    await submissions.run({ b: 'succeed' });
    await submissions.becomes(rerun, 'COMPLETED');
    const firstMails = await Promise.all([good, bad, rerun].map(async (batch) => (await mailsOf(batch, 1))[0]));
    expect(firstMails).toEqual([
      expect.stringContaining('Subject: maps 1723: complete'),
      expect.stringContaining('Subject: maps 1723: not complete'),
      expect.stringContaining('1 of 1 complete.'),
    ]);
    // The service's own tasks, which planned the copies and delivered the reports, are in none of the batches.
    for (const [batch, total] of [
      [bad, 2],
      [rerun, 1],
    ] as const) {
      const tally = await batch.tally();
      expect(new Set(tally.map(({ queue }) => queue))).toEqual(new Set([submissions.jobs]));
      expect(tally.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(total);
    }
  });

  it('S2-19 is by `own` a mail about each job that was run again', async () => {
    const batch = await ended({ a: 'fail', b: 'fail' }, { reRunReporting: 'own', reportTo: ANN });
    await again(batch, { a: 'succeed' });
    const [mail, ...more] = await mailsOf(batch, 2);
    expect([mail, more]).toEqual([expect.stringContaining('Subject: maps 1723: a is complete'), []]);
  });

  it('S2-17 is the same message if it is sent again, because its sender died before it could record it', async () => {
    mails.lateRefusal = 451;
    const batch = await ended({ a: 'succeed' }, { reportTo: ANN });
    await until('a first attempt', async () => {
      const [delivery] = (await submissions.reports(batch))[0]!.deliveries;
      return delivery!.state !== null && (await service.waybill.task(delivery!.id).get()).attempt > 0 ? true : null;
    });
    await service.passTime('13 hours');
    const [one, other, ...more] = await mailsOf(batch, 1);
    expect(more).toEqual([]);
    expect(other).toBe(one);
  });

  it('S2-21 tells a depositor what has changed, and which jobs are still not complete', async () => {
    const batch = await ended({ a: 'fail', b: 'fail', c: 'succeed' }, { reportTo: ANN });
    expect((await mailsOf(batch, 1))[0]).toContain('Not complete:\r\n- a: failed: no such file');
    await again(batch, { a: 'succeed' });
    await reported(batch);
    const [mail] = await mailsOf(batch, 2);
    expect(mail).toContain('Subject: maps 1723: not complete (update)');
    expect(mail).toContain('2 of 3 complete, 1 failed.');
    expect(mail).toContain('Changed since the last report:\r\n- a: failed before, now complete');
    expect(mail).toContain('Not complete:\r\n- b: failed');
  });

  it('S2-23 is not sent without a change', async () => {
    const batch = await ended({ a: 'fail' }, { reportTo: ANN });
    await mailsOf(batch, 1);
    const before = mails.received.length;
    expect(await reported(batch)).toBe('Failed');
    await service.caughtUp('deliver-reports', (await batch.get()).position);
    const { items } = await service.waybill.tasks.page({ queue: 'waybill.mail', state: 'pending' });
    expect([items, mails.received.length, (await batch.get()).reports]).toEqual([[], before, 1]);
  });

  it('S2-54 names the deleted jobs', async () => {
    const batch = await submissions.planned(['a', 'b'], { reportTo: ANN });
    await submissions.run({ a: 'succeed' });
    await service.waybill.task((await submissions.job(batch, 'b')).id).delete();
    await submissions.becomes(batch, 'COMPLETED');
    const [mail] = await mailsOf(batch, 1);
    expect(mail).toContain('1 of 1 complete, 1 deleted.');
    expect(mail).toContain('Deleted:\r\n- b');
  });

  it('S2-19 is about one job by `own`, and may be a webhook', async () => {
    const reportTo = { webhook: { url: hooks.url, secret: 'shop' } };
    const batch = await ended({ a: 'fail' }, { reRunReporting: 'own', reportTo });
    await again(batch, { a: 'succeed' });
    await until('two calls', async () => {
      const states = (await submissions.reports(batch)).flatMap(({ deliveries }) =>
        deliveries.map(({ state }) => state),
      );
      return states.join() === 'succeeded,succeeded' ? true : null;
    });
    const events = hooks.received.map(({ body }) => JSON.parse(body) as { type: string; subject: string });
    expect(events.filter(({ subject }) => subject === batch.id).map(({ type }) => type)).toEqual([
      'dev.waybill.batch.reported',
      'dev.waybill.batch.task-reported',
    ]);
  });

  it('is refused without an address, and with one that is none', async () => {
    for (const reportTo of [{}, { mail: { to: ['ann'] } }, { webhook: { url: 'http://', secret: 'shop' } }])
      expect(await refusalOf(submissions.submit({ reportTo }))).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
  });
});
