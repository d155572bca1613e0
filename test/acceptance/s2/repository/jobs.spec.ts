import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jobIn } from '../../../../examples/repository/job.js';
import { DEDICATED, OWN_PROVISIONING, STORAGE } from '../../../../examples/repository/queues.js';
import { dedicatedIn } from '../../../../examples/repository/working-storage.js';
import { until } from '../../../support/until.js';
import { jobsOf, objectOf, pathIn, Setting, type TaskView } from './setting.js';

let setting: Setting;
beforeAll(async () => {
  setting = await Setting.start();
});
afterAll(() => setting.stop());
beforeEach(() => setting.begin());
afterEach(() => setting.end());

/** A worker's report came too late. */
const LATE = 'TaskLateReportRefused';

const isGone = (path: string) => until('the folder to go', async () => (existsSync(path) ? null : true));

describe('a job that is worked on', () => {
  it('S2-49 is COMPLETED once it is stored, in the inventory, and its folder is gone', async () => {
    const { jobs } = await setting.planned(setting.deposit(objectOf(setting.remote('a.txt'), setting.remote('b.txt'))));
    const { id } = jobs[0]!;
    await setting.works({ inventory: false });
    const waiting = await until('the job to wait for the inventory', async () => {
      const view = await setting.view(id);
      return view.lastStep === 'Processing' ? view : null;
    });
    const { ark } = jobIn(waiting).data;
    expect(setting.stored).toEqual([ark]);
    expect(waiting).toMatchObject({ state: 'pending', stateName: 'Recording' });
    const recorded: string[] = [];
    await setting.records(async ({ job }) => recorded.push(job.id));
    expect(await setting.becomes(id, 'succeeded')).toMatchObject({ stateName: 'COMPLETED' });
    expect(recorded).toEqual([id]);
    expect(existsSync(setting.folderOf(waiting).path)).toBe(false);
  });

  it('S2-48 calls back, is counted by its submission and leaves no folder, or fails in Notify', async () => {
    setting.callbackAnswer = 500;
    const given = setting.deposit(objectOf(setting.remote('a.txt')));
    const { id } = (await setting.planned(given)).jobs[0]!;
    await setting.works();
    const failed = await setting.becomes(id, 'failed');
    const message = expect.stringContaining('answers 500');
    expect(failed).toMatchObject({ lastStep: 'Recording', stateName: 'Failed', error: { message } });
    setting.callbackAnswer = 200;
    await setting.service.waybill.task(id).retry();
    expect(await setting.becomes(id, 'succeeded')).toMatchObject({ lastStep: 'Notify' });
    expect(JSON.parse(setting.called.at(-1)!)).toEqual({ job: id, batch: given.id });
    expect(setting.stored).toEqual([jobIn(failed).data.ark]);
    expect(existsSync(setting.folderOf(failed).path)).toBe(false);
    expect(await setting.service.waybill.batch(given.id).get()).toMatchObject({ succeeded: 1 });
  });

  it('S2-52 loses its folder when it is deleted, failed or held', async () => {
    const profile = `held-${randomUUID()}`;
    const folders = 'planning';
    const bad = (await setting.planned(setting.deposit(jobsOf(setting.remote('gone.txt', null))), { folders })).jobs;
    const good = (await setting.planned(setting.deposit('a map', { profile }), { folders })).jobs;
    await setting.service.waybill.holds.place('maps', { profile });
    await setting.works();
    setting.tidies();
    const ended = [await setting.becomes(bad[0]!.id, 'failed'), await setting.becomes(good[0]!.id, 'held')];
    for (const one of ended) {
      expect(existsSync(setting.folderOf(one).path)).toBe(true);
      await setting.service.waybill.task(one.id).delete();
      await isGone(setting.folderOf(one).path);
      expect(await setting.view(one.id)).toMatchObject({ stateName: 'DELETED' });
    }
    await setting.service.waybill.holds.lift('maps');
  });
});

describe('a job that asks for a file system of its own', () => {
  const asking = () => setting.deposit(objectOf(setting.remote('a.txt')), { resourceToProvision: DEDICATED });
  const measure = (resource: string, value: number) => setting.service.waybill.resources.measure(resource, value);

  it('S2-38 waits for that, while another waits for the working storage, and has it until it is done', async () => {
    await measure(STORAGE, 90);
    await measure(DEDICATED, 2);
    const [own, usual] = [
      (await setting.planned(asking())).jobs[0]!,
      (await setting.planned(setting.deposit(objectOf(setting.remote('b.txt'))))).jobs[0]!,
    ];
    await setting.works({ inventory: false });
    const reasonOf = (id: string, resource: string) =>
      until(`the job to wait for ${resource}`, async () => {
        const { reasons } = await setting.service.waybill.task(id).why();
        return reasons.find((reason) => reason.because === 'resource' && reason.resource === resource) ?? null;
      });
    await reasonOf(own.id, DEDICATED);
    await reasonOf(usual.id, STORAGE);
    await measure(DEDICATED, 1);
    await until('the job to wait for the inventory', async () =>
      (await setting.view(own.id)).lastStep === 'Processing' ? true : null,
    );
    expect(await dedicatedIn(setting.at.root)()).toBe(1);
    expect((await setting.view(usual.id)).lastStep).toBe('Estimating');
    await setting.records(async () => undefined);
    const done = await setting.becomes(own.id, 'succeeded');
    expect(done.steps).toContain(OWN_PROVISIONING);
    expect(done.steps).not.toContain('Provisioning');
    expect(await dedicatedIn(setting.at.root)()).toBe(0);
    await measure(STORAGE, 10);
    expect((await setting.becomes(usual.id, 'succeeded')).steps).not.toContain(OWN_PROVISIONING);
  });
});

describe('the deletion of a submission', () => {
  const names = ['done.txt', 'gone.txt', 'slow.txt'] as const;

  /** A submission that Failed: one job is complete, one failed, and one runs again and waits for its server. */
  async function failedSubmission() {
    const lines = names.map((name) => setting.remote(name, name === 'done.txt' ? 'a map' : null));
    const given = setting.deposit(jobsOf(...lines));
    await setting.planned(given);
    await setting.works();
    const batch = setting.service.waybill.batch(given.id);
    await until('the submission to fail', async () => ((await batch.get()).stateName === 'Failed' ? true : null));
    const slow = pathIn(lines[2]!);
    let release: (value?: unknown) => void = () => {};
    setting.files.slow.set(slow, new Promise((resolve) => (release = resolve)));
    setting.files.files.set(slow, 'a slow map');
    const asked = setting.files.requests.length;
    const jobs = await Promise.all(names.map((name) => setting.jobNamed(given, name)));
    await setting.service.waybill.task(jobs[2]!.id).retry();
    await until('the slow file to be asked for', async () => (setting.files.requests.length > asked ? true : null));
    return { batch, jobs, release };
  }

  it('S2-24 deletes every job that is not COMPLETED, also one that runs, and all folders', async () => {
    const { batch, jobs, release } = await failedSubmission();
    const [done, gone, slow] = jobs as [TaskView, TaskView, TaskView];
    for (const one of [gone, slow]) expect(existsSync(setting.folderOf(one).path)).toBe(true);
    setting.tidies();
    await batch.delete();
    for (const one of [gone, slow]) await setting.becomes(one.id, 'deleted');
    await isGone(join(setting.at.root, batch.id));
    const typesOfSlow = async () => (await setting.service.waybill.task(slow.id).history()).map(({ type }) => type);
    const untilDeleted = (await typesOfSlow()).filter((type) => type !== LATE);
    // As if the worker had made the folder after it was deleted. Its report is refused, and it goes on with other jobs.
    await setting.folderOf(slow).make();
    release();
    setting.files.files.set('/payload', 'another map');
    const { jobs: others } = await setting.planned(setting.deposit('another map'));
    await setting.becomes(others[0]!.id, 'succeeded');
    await until('the late report', async () => ((await typesOfSlow()).includes(LATE) ? true : null));
    expect(await typesOfSlow()).toEqual([...untilDeleted, LATE]);
    expect(existsSync(join(setting.at.root, batch.id))).toBe(false);
    expect(await setting.view(done.id)).toMatchObject({ stateName: 'COMPLETED' });
    const counts = { total: 3, succeeded: 1, deleted: 2 };
    expect(await batch.get()).toMatchObject({ stateName: 'DELETED', name: 'payload.checkm', ...counts });
  });

  it('S2-24 deletes the folder of one that is Held, with its planner', async () => {
    const profile = `held-${randomUUID()}`;
    await setting.service.waybill.holds.place('maps', { profile });
    const given = setting.deposit('a map', { profile });
    const batch = await setting.submitted(given);
    const folder = join(setting.at.root, given.id);
    await setting.service.waybill.queue('repository-submissions').claim({ worker: 'planner' });
    await until('the submission to be Held', async () => ((await batch.get()).stateName === 'Held' ? true : null));
    expect(existsSync(folder)).toBe(true);
    setting.tidies();
    await batch.delete();
    await isGone(folder);
    expect(await batch.get()).toMatchObject({ stateName: 'DELETED' });
    await setting.service.waybill.holds.lift('maps');
  });
});
