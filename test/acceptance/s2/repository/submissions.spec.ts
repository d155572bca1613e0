import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobIn } from '../../../../examples/repository/job.js';
import { KINDS, kindOf, type PayloadKind } from '../../../../examples/repository/manifests.js';
import { localIdIn } from '../../../../examples/repository/records.js';
import { refusalOf } from '../../refusal.js';
import { expectNoError, job, jobsOf, manifestOf, objectOf, pathIn, Setting, sha256 } from './setting.js';

let setting: Setting;
beforeAll(async () => {
  setting = await Setting.start();
});
afterAll(() => setting.stop());
beforeEach(() => setting.begin());
afterEach(() => setting.end());

describe('a submission that is received', () => {
  it('S2-06 gets an id and a folder with its payload', async () => {
    const given = setting.deposit('a map');
    const batch = await setting.submitted(given);
    expect(batch.id).toBe(given.id);
    expect(readFileSync(join(setting.at.root, batch.id, 'payload.checkm'), 'utf8')).toBe('a map');
    expect((await setting.submitted(given)).id).toBe(batch.id);
  });

  it('S2-07 is refused if its payload is too large, unless it is a manifest', async () => {
    const given = setting.deposit('x'.repeat(1_001));
    await expect(setting.submitted(given)).rejects.toThrow('Expected at most 1000 bytes without a manifest');
    expect(existsSync(join(setting.at.root, given.id))).toBe(false);
    await expect(setting.submitted(given, { mostBytes: 2_000 })).resolves.toMatchObject({ id: given.id });
    const lines = Array.from({ length: 20 }, (_, n) => setting.remote(`${n}.txt`));
    const manifest = setting.deposit(objectOf(...lines));
    expect(manifest.payload.byteLength).toBeGreaterThan(1_000);
    await expect(setting.submitted(manifest)).resolves.toMatchObject({ id: manifest.id });
  });

  it('S2-08 has its profile, submitter, type and file name, and is Pending', async () => {
    const batch = await setting.submitted(setting.deposit(objectOf(setting.remote('a.txt'))));
    expect(await batch.get()).toMatchObject({
      name: 'payload.checkm',
      labels: { profile: 'ucb_maps', submitter: 'ann', type: 'object manifest' },
      stateName: 'Pending',
    });
  });

  it.each([
    ['label.submitter:ada', ['ada']],
    ['label.submitter:ada,ann since:2000-01-01 until:2100-01-01', ['ada', 'ann']],
    ['label.submitter:ada since:1h', ['ada']],
    ['label.submitter:ada until:2000-01-01', []],
    ['label.submitter:ada since:2100-01-01', []],
  ])('S2-08 is listed by who submitted it, and when: %s', async (q, submitters) => {
    const own = randomUUID();
    for (const name of ['ada', 'ann'])
      await setting.submitted(setting.deposit('a map', { submitter: `${name}.${own}` }));
    const found: string[] = [];
    const search = q.replaceAll(/ada|ann/g, (name) => `${name}.${own}`);
    for await (const { labels } of setting.service.waybill.batches({ q: search })) found.push(labels!['submitter']!);
    expect(found.toSorted()).toEqual(submitters.map((name) => `${name}.${own}`));
  });

  it.each([
    ['single file', 'a map'],
    ['object manifest', objectOf('')],
    ['manifest of manifests', manifestOf('mrt-batch-manifest')],
    ['manifest of zips', manifestOf('mrt-container-batch-manifest')],
    ['manifest of jobs', jobsOf()],
  ])('S2-09 is recognised as a %s', (name, text) => {
    expect(kindOf(text).name).toBe(name);
  });

  it('S2-09 may be of a kind that was added, and of no unknown one', async () => {
    const inline = '#%checkm_0.7\n#%profile | x/manifest/inline\n#%eof';
    expect(() => kindOf(inline)).toThrow("its profile is 'inline'");
    const made = ['inline-1', 'inline-2'].map((localId) => job({ localId }));
    const added: PayloadKind = {
      name: 'inline',
      isOneJob: false,
      matches: (profile) => profile === 'inline',
      jobs: () => made,
    };
    const { jobs } = await setting.planned(setting.deposit(inline), { kinds: [...KINDS, added] });
    expect(jobs.map(({ reference }) => reference).sort()).toEqual(['inline-1', 'inline-2']);
  });
});

describe('the jobs of a submission', () => {
  it.each([
    ['single file', 1, () => 'a map'],
    ['object manifest', 1, objectOf],
    ['manifest of manifests', 2, (...lines: readonly string[]) => manifestOf('mrt-batch-manifest', ...lines)],
    ['manifest of zips', 2, (...lines: readonly string[]) => manifestOf('mrt-container-batch-manifest', ...lines)],
    ['manifest of jobs', 2, jobsOf],
  ] as const)('S2-12 are as many as a %s has: %i', async (_, count, text) => {
    const lines = [setting.remote('a.txt'), setting.remote('b.txt')];
    const { batch, jobs } = await setting.planned(setting.deposit(text(...lines)));
    expect([batch.error, jobs.length]).toEqual([null, count]);
  });

  it('S2-12 download a payload that is a manifest, and then what it names', async () => {
    const line = setting.remote('a.txt');
    const listed = setting.remote('listed.checkm', objectOf(line));
    const [made] = (await setting.planned(setting.deposit(manifestOf('mrt-batch-manifest', listed)))).jobs;
    expect([jobIn(made!).payloadType, setting.files.requests]).toEqual(['manifest', []]);
    expectNoError(await setting.run(jobIn(made!), 'Downloading'));
    expect(setting.files.requests).toEqual([listed, line].map((one) => `GET ${pathIn(one)}`));
    const { files } = setting.folderOf(made!);
    expect(readFileSync(join(files, 'listed.checkm'), 'utf8')).toBe(objectOf(line));
    expect(readFileSync(join(files, 'a.txt'), 'utf8')).toBe('content of a.txt');
  });

  it('S2-13 get their folders when they are planned, or when they begin', async () => {
    const [early] = (await setting.planned(setting.deposit('a map'), { folders: 'planning' })).jobs;
    expect(existsSync(setting.folderOf(early!).files)).toBe(true);
    const [late] = (await setting.planned(setting.deposit('a map'))).jobs;
    expect(existsSync(setting.folderOf(late!).path)).toBe(false);
    await setting.run(jobIn(late!), 'Estimating');
    expect(existsSync(setting.folderOf(late!).files)).toBe(true);
  });

  it('S2-29 have what the submission gives them, and begin with nothing', async () => {
    const line = setting.remote('a.txt', 'a', sha256('a'));
    const given = setting.deposit(jobsOf(line, setting.remote('b.txt')), { updateStatus: 'update' });
    const { jobs } = await setting.planned(given);
    const [a, b] = await Promise.all(['a.txt', 'b.txt'].map((name) => setting.jobNamed(given, name)));
    expect(jobIn(a!)).toMatchObject({
      profile: 'ucb_maps',
      batch: given.id,
      payloadType: 'object',
      payloadUrl: line.split(' ')[0],
      submitter: 'ann',
      updateStatus: 'update',
      resourceToProvision: 'storage',
      digest: { type: 'sha256', value: sha256('a') },
    });
    expect(jobIn(b!).digest).toBeNull();
    expect(a!.id).not.toBe(b!.id);
    expect(setting.folderOf(a!).path).toBe(join(setting.at.root, given.id, 'job-0'));
    expect(setting.folderOf(b!).path).toBe(join(setting.at.root, given.id, 'job-1'));
    for (const one of jobs) expect(one).toMatchObject({ retries: 0, stateName: 'Pending', batch: given.id });
    for (const one of jobs) expect(jobIn(one)).toMatchObject({ data: { spaceNeeded: 0 }, lastSuccessfulStep: null });
  });

  it('S2-29 of a single file have the digest of the form, if there is one', async () => {
    const digest = { type: 'sha256', value: sha256('a map') };
    const [made] = (await setting.planned(setting.deposit('a map', { digest }))).jobs;
    const payloadUrl = `${setting.files.url}/payload`;
    expect(jobIn(made!)).toMatchObject({ digest, payloadUrl, payloadType: 'object', updateStatus: 'new' });
  });

  it('S2-31 have the local id of the manifest, the form or the ERC, and the ark if there is one', async () => {
    const line = `${setting.remote('a.txt')} | ark:/99999/fk4given | manifest-1 | Ann | A map | 1901`;
    const [fromManifest] = (await setting.planned(setting.deposit(jobsOf(line)))).jobs;
    const ark = 'ark:/99999/fk4given';
    expect(jobIn(fromManifest!)).toMatchObject({ localId: 'manifest-1', ark, creator: 'Ann' });
    const [fromForm] = (await setting.planned(setting.deposit('a map', { localId: 'form-1' }))).jobs;
    expect(jobIn(fromForm!)).toMatchObject({ localId: 'form-1', ark: null });
    expect(localIdIn('erc:\nwho: Ann\nwhere: ark:/99999/fk4x\nwhere: erc-1\n')).toBe('erc-1');
  });
});

describe('a submission that is not what it should be', () => {
  const wrong = { type: 'sha256', value: sha256('another map') };

  it('S2-32 S2-33 fails its job at the start if the file has another digest, and nothing recovers it', async () => {
    const right = await setting.planned(setting.deposit('a map', { digest: { ...wrong, value: sha256('a map') } }));
    expect(right.jobs).toMatchObject([{ stateName: 'Pending' }]);
    const given = setting.deposit('a map', { digest: wrong });
    const { jobs } = await setting.planned(given);
    const message = expect.stringContaining("Expected 'payload.checkm' to have the sha256");
    expect(jobs).toMatchObject([{ stateName: 'Failed', attempt: 0, error: { class: 'business', message } }]);
    const handle = setting.service.waybill.task(jobs[0]!.id);
    for (const step of ['Downloading', 'Processing', 'Recording', 'Notify'])
      expect(await refusalOf(handle.retry({ step, override: true }))).toMatchObject({ code: 'FAILURE_IS_FINAL' });
    expect(await setting.service.waybill.batch(given.id).get()).toMatchObject({ total: 1, failed: 1 });
    await handle.delete();
    expect(await setting.view(handle.id)).toMatchObject({ stateName: 'DELETED' });
  });

  it('S2-33 fails its job at the start if its manifest of an object is corrupt', async () => {
    const cutOff = objectOf(setting.remote('a.txt')).replace('#%eof', '');
    const { jobs } = await setting.planned(setting.deposit(cutOff));
    const message = "Expected '#%eof' at the end of the manifest, but it is cut off";
    expect(jobs).toMatchObject([{ stateName: 'Failed', error: { message } }]);
  });

  it('S2-16 fails as a whole if nobody knows how many jobs a corrupt manifest has', async () => {
    const { batch, jobs } = await setting.planned(setting.deposit(jobsOf('no url')));
    expect(batch).toMatchObject({ stateName: 'Failed', total: 0, error: expect.stringContaining("line is 'no url'") });
    expect(jobs).toEqual([]);
  });
});
