import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BatchHandle, TaskHandle } from '@waybill/client';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOf, type Job, type Repository, steps, type Step } from '../../../examples/repository/job.js';
import {
  type EzidServer,
  type FileServer,
  type LocalServer,
  serve,
  serveEzid,
  serveFiles,
} from '../../../examples/repository/local-servers.js';
import { KINDS, type JobPlan, kindOf, type PayloadKind } from '../../../examples/repository/manifests.js';
import { defineRepository, STORAGE, SUBMISSIONS } from '../../../examples/repository/queues.js';
import { localIdIn } from '../../../examples/repository/records.js';
import { type Deposit, planWith, type PlanRules, submit } from '../../../examples/repository/submissions.js';
import { repositoryWorker, tidyUp, workOn } from '../../../examples/repository/workers.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

type TaskView = Awaited<ReturnType<TaskHandle['get']>>;

let service: RunningService;
let files: FileServer;
let ezid: EzidServer;
let storage: LocalServer;
let callbacks: LocalServer;
let at: Repository;
let stored: string[] = [];
let storageAnswer = 200;
let called: string[] = [];
let callbackAnswer = 200;
let stopping: AbortController;
let running: Promise<unknown>[] = [];

beforeAll(async () => {
  service = await startService();
  files = await serveFiles();
  ezid = await serveEzid();
  storage = await serve(({ url }, response) => {
    stored.push(decodeURIComponent(url!.slice(1)));
    response.writeHead(storageAnswer).end();
  });
  callbacks = await serve((request, response) => {
    request.on('data', (body: Buffer) => called.push(String(body)));
    request.on('end', () => response.writeHead(callbackAnswer).end());
  });
  const root = await mkdtemp(join(tmpdir(), 'repository-'));
  const arkOf = async (localId: string) => (localId === 'known-1' ? 'ark:/99999/fk4known' : null);
  const shoulder = 'ark:/99999/fk4';
  at = { root, ezid: { url: ezid.url, shoulder }, storage: storage.url, callback: callbacks.url, arkOf };
  await defineRepository(service.waybill);
});
afterAll(async () => {
  await Promise.all([files, ezid, storage, callbacks].map((server) => server.stop()));
  await service.stop();
  await rm(at.root, { recursive: true, force: true });
});
beforeEach(async () => {
  stopping = new AbortController();
  [stored, called, storageAnswer, callbackAnswer] = [[], [], 200, 200];
  files.requests.length = 0;
  await service.waybill.resources.measure(STORAGE, 10);
});
afterEach(async () => {
  stopping.abort();
  await Promise.allSettled(running);
  running = [];
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A file that the server has; its digest if it is to be checked. */
function remote(name: string, text: string | null = `content of ${name}`, digest?: string): string {
  const path = `/${randomUUID()}/${name}`;
  if (text !== null) files.files.set(path, text);
  return `${files.url}${path} | ${digest === undefined ? '' : 'sha256'} | ${digest ?? ''} | | | ${name}`;
}
const urlIn = (line: string): string => line.split(' ')[0]!;
const pathIn = (line: string): string => new URL(urlIn(line)).pathname;

const manifestOf = (profile: string, ...lines: readonly string[]): string =>
  ['#%checkm_0.7', `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profile}`, ...lines, '#%eof', ''].join(
    '\n',
  );
const objectOf = (...lines: readonly string[]): string => manifestOf('mrt-ingest-manifest', ...lines);

const deposit = (text: string, more: Partial<Deposit> = {}): Deposit => ({
  id: randomUUID(),
  profile: 'ucb_maps',
  submitter: 'ann',
  fileName: 'payload.checkm',
  payload: Buffer.from(text),
  url: `${files.url}/payload`,
  ...more,
});

const submitted = (
  given: Deposit,
  more: { mostBytes?: number; kinds?: readonly PayloadKind[] } = {},
): Promise<BatchHandle> => submit(service.waybill, given, { root: at.root, mostBytes: 1_000, ...more });

const planning = (more: Partial<PlanRules> = {}) => {
  const worker = service.waybill.worker({ logger: null, waitMs: 50 });
  return worker.plan(SUBMISSIONS, planWith({ root: at.root, folders: 'first-step', ...more }) as never);
};

/** The jobs of a submission that was planned. */
async function planned(given: Deposit, more: Partial<PlanRules> = {}): Promise<readonly TaskView[]> {
  const batch = await submitted(given, { kinds: more.kinds ?? KINDS });
  const worker = planning(more);
  await worker.start();
  const view = await until('the plan', async () => {
    const seen = await batch.get();
    return seen.state === 'planning' && seen.error === null ? null : seen;
  });
  await worker.stop();
  expect(view.error).toBeNull();
  const { items } = await service.waybill.tasks.page({ batch: batch.id });
  return Promise.all(items.map(({ id }) => service.waybill.task(id).get()));
}

const jobIn = ({ id, payload }: TaskView): Job => ({ id, ...(payload as Omit<Job, 'id'>) });

/** The repository works; with `inventory`, so does the other service. */
function works({ inventory = true } = {}): void {
  const { signal } = stopping;
  running.push(repositoryWorker(service.waybill, at, { name: 'repository', signal, waitMs: 1_000 }));
  if (inventory) {
    const act = async () => undefined;
    running.push(workOn(service.waybill, { name: 'inventory', steps: ['Recording'], act, signal, waitMs: 1_000 }));
  }
}

const becomes = (id: string, state: string): Promise<TaskView> =>
  until(`the job to be ${state}`, async () => {
    const view = await service.waybill.task(id).get();
    return view.state === state ? view : null;
  });

const run = (step: Exclude<Step, 'Recording'>, job: Job): Promise<void> => steps[step](job, at, stopping.signal);

/** A job with a folder, as its steps get it. */
const job = (plan: Partial<JobPlan>): Job => ({
  id: randomUUID(),
  batch: randomUUID(),
  folder: 'job-0',
  plan: { payload: 'object', files: [], localId: null, ark: null, creator: null, title: null, date: null, ...plan },
});
const fileIn = (line: string) => {
  const [url, type, value, , , name] = line.split('|').map((cell) => cell.trim());
  return { url: url!, name: name!, digest: type ? { type: type, value: value! } : null };
};

describe('a submission that is received', () => {
  it('S2-06 gets an id and a folder with its payload', async () => {
    const given = deposit('a map');
    const batch = await submitted(given);
    expect(batch.id).toBe(given.id);
    expect(readFileSync(join(at.root, batch.id, 'payload.checkm'), 'utf8')).toBe('a map');
    expect((await submitted(given)).id).toBe(batch.id);
  });

  it('S2-07 is refused if its payload is too large, unless it is a manifest', async () => {
    const large = 'x'.repeat(1_001);
    const given = deposit(large);
    await expect(submitted(given)).rejects.toThrow('Expected at most 1000 bytes without a manifest');
    expect(existsSync(join(at.root, given.id))).toBe(false);
    await expect(submitted(given, { mostBytes: 2_000 })).resolves.toMatchObject({ id: given.id });
    const manifest = deposit(objectOf(...Array.from({ length: 20 }, (_, n) => remote(`${n}.txt`))));
    expect(manifest.payload.byteLength).toBeGreaterThan(1_000);
    await expect(submitted(manifest)).resolves.toMatchObject({ id: manifest.id });
  });

  it('S2-08 has its profile, submitter, type and file name, and is Pending', async () => {
    const batch = await submitted(deposit(objectOf(remote('a.txt'))));
    expect(await batch.get()).toMatchObject({
      name: 'payload.checkm',
      labels: { profile: 'ucb_maps', submitter: 'ann', type: 'object manifest' },
      stateName: 'Pending',
    });
  });

  it.each([
    ['single file', 'a map'],
    ['object manifest', objectOf('')],
    ['manifest of manifests', manifestOf('mrt-batch-manifest')],
    ['manifest of zips', manifestOf('mrt-container-batch-manifest')],
    ['manifest of jobs', manifestOf('mrt-single-file-batch-manifest')],
  ])('S2-09 is recognised as a %s', (name, text) => {
    expect(kindOf(text).name).toBe(name);
  });

  it('S2-09 may be of a kind that was added, and of no unknown one', async () => {
    const inline = '#%checkm_0.7\n#%profile | x/manifest/inline\n#%eof';
    expect(() => kindOf(inline)).toThrow("its profile is 'inline'");
    const jobs: PayloadKind['jobs'] = () => [job({ localId: 'inline-1' }).plan, job({ localId: 'inline-2' }).plan];
    const kinds = [...KINDS, { name: 'inline', matches: (profile: string | null) => profile === 'inline', jobs }];
    const made = await planned(deposit(inline), { kinds });
    expect(made.map(({ reference }) => reference).sort()).toEqual(['inline-1', 'inline-2']);
  });

  const two = [remoteLater('a.txt'), remoteLater('b.txt')];
  it.each([
    ['single file', 1, (): string => 'a map'],
    ['object manifest', 1, (): string => objectOf(...two.map((line) => line()))],
    ['manifest of manifests', 2, (): string => manifestOf('mrt-batch-manifest', ...two.map((line) => line()))],
    ['manifest of zips', 2, (): string => manifestOf('mrt-container-batch-manifest', ...two.map((line) => line()))],
    ['manifest of jobs', 2, (): string => manifestOf('mrt-single-file-batch-manifest', ...two.map((line) => line()))],
  ] as const)('S2-12 makes of a %s as many jobs as it has: %i', async (_, count, text) => {
    expect(await planned(deposit(text()))).toHaveLength(count);
  });

  it('S2-13 gets the folders of its jobs when it is planned, or when a job begins', async () => {
    const [early] = await planned(deposit('a map'), { folders: 'planning' });
    expect(existsSync(folderOf(at, jobIn(early!)).files)).toBe(true);
    const [late] = await planned(deposit('a map'), { folders: 'first-step' });
    expect(existsSync(folderOf(at, jobIn(late!)).path)).toBe(false);
    await run('Estimating', jobIn(late!));
    expect(existsSync(folderOf(at, jobIn(late!)).files)).toBe(true);
  });

  it('S2-32 with a digest of its single file is checked when it begins', async () => {
    const right = { type: 'sha256', value: sha256('a map') };
    expect(await planned(deposit('a map', { digest: right }))).toHaveLength(1);
    const batch = await submitted(deposit('a map', { digest: { ...right, value: sha256('another') } }));
    const worker = planning();
    await worker.start();
    const failed = await until('the failure', async () =>
      (await batch.get()).stateName === 'Failed' ? batch.get() : null,
    );
    await worker.stop();
    expect(failed).toMatchObject({
      total: 0,
      error: expect.stringContaining("Expected 'payload.checkm' to have the sha256"),
    });
  });
});

function remoteLater(name: string): () => string {
  return () => remote(name);
}

describe('the steps of a job', () => {
  it('S2-36 ask for the sizes of all files at the same time, and sum them', async () => {
    const lines = [remote('a.txt', '12345'), remote('b.txt', '1234567')];
    const given = job({ files: lines.map(fileIn) });
    await run('Estimating', given);
    expect(files.requests.toSorted()).toEqual(lines.map((line) => `HEAD ${pathIn(line)}`).toSorted());
    expect(await folderOf(at, given).notes()).toMatchObject({ spaceNeeded: 12 });
  });

  it('S2-36 S2-40 note nothing if a server refuses HEAD, and mark the total as inaccurate', async () => {
    const lines = [remote('a.txt'), remote('b.txt')];
    files.headless.add(pathIn(lines[1]!));
    const given = job({ files: lines.map(fileIn) });
    await run('Estimating', given);
    expect(await folderOf(at, given).notes()).toMatchObject({ spaceNeeded: 0 });
    await run('Provisioning', given);
    expect(await folderOf(at, given).notes()).toMatchObject({ inaccurate: true });
  });

  it('S2-40 mark a total as possibly inaccurate only if it was not estimated', async () => {
    const [known, unknown] = [remote('a.txt'), remote('b.txt')];
    files.headless.add(pathIn(unknown));
    const jobs = [known, unknown].map((line) => job({ files: [fileIn(line)] }));
    for (const one of jobs) for (const step of ['Estimating', 'Provisioning'] as const) await run(step, one);
    const notes = await Promise.all(jobs.map((one) => folderOf(at, one).notes()));
    expect(notes.map(({ inaccurate }) => inaccurate)).toEqual([false, true]);
  });

  it('S2-41 fetch several files, each with a finite number of tries, and check their digests', async () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => remote(name, name, sha256(name)));
    files.failing.set(pathIn(lines[2]!), 2);
    const given = job({ files: lines.map(fileIn) });
    await run('Downloading', given);
    expect(readdirSync(folderOf(at, given).files).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await folderOf(at, given).notes()).toMatchObject({ spaceNeeded: 6 });
    expect(files.requests.filter((request) => request === `GET ${pathIn(lines[2]!)}`)).toHaveLength(3);
    const missing = remote('gone.txt', null);
    await expect(run('Downloading', job({ files: [fileIn(missing)] }))).rejects.toThrow("Expected to fetch 'gone.txt'");
    expect(files.requests.filter((request) => request === `GET ${pathIn(missing)}`)).toHaveLength(3);
    const wrong = job({ files: [fileIn(remote('wrong.txt', 'x', sha256('y')))] });
    await expect(run('Downloading', wrong)).rejects.toThrow("Expected 'wrong.txt' to have the sha256");
  });

  it('S2-41 fetch no file twice that was whole when they were interrupted', async () => {
    const lines = [remote('a.txt', 'a'), remote('b.txt', null)];
    const given = job({ files: lines.map(fileIn) });
    await expect(run('Downloading', given)).rejects.toThrow('b.txt');
    files.files.set(pathIn(lines[1]!), 'b');
    await run('Downloading', given);
    await run('Downloading', given);
    expect(files.requests.filter((request) => request === `GET ${pathIn(lines[0]!)}`)).toHaveLength(1);
  });

  it('S2-31 take the local id from the manifest, the form or the ERC, and the ark if there is one', async () => {
    const line = `${remote('a.txt')} | ark:/99999/fk4given | manifest-1 | Ann | A map | 1901`;
    const [fromManifest] = await planned(deposit(manifestOf('mrt-single-file-batch-manifest', line)));
    expect(jobIn(fromManifest!).plan).toMatchObject({
      localId: 'manifest-1',
      ark: 'ark:/99999/fk4given',
      creator: 'Ann',
    });
    const [fromForm] = await planned(deposit('a map', { localId: 'form-1' }));
    expect(jobIn(fromForm!).plan).toMatchObject({ localId: 'form-1', ark: null });
    expect(localIdIn('erc:\nwho: Ann\nwhere: ark:/99999/fk4x\nwhere: erc-1\n')).toBe('erc-1');
    const withErc = job({ files: [fileIn(remote('mrt-erc.txt', 'erc:\nwhere: erc-1\n'))] });
    for (const step of ['Downloading', 'Processing'] as const) await run(step, withErc);
    expect(readFileSync(join(folderOf(at, withErc).files, 'mrt-erc.txt'), 'utf8')).toContain('where: erc-1');
    expect((await folderOf(at, withErc).notes()).ark).toMatch(/^ark:\/99999\/fk4/);
  });

  it('S2-43 write the records, mint an ark and store the object, in this order', async () => {
    const given = job({ files: [fileIn(remote('a.txt', 'a', sha256('a')))], localId: 'map <1>', title: 'Bay & coast' });
    for (const step of ['Downloading', 'Processing'] as const) await run(step, given);
    const { ark, stored: answer } = await folderOf(at, given).notes();
    expect([...ezid.identifiers.keys()]).toContain(ark);
    const [erc, dc] = ['mrt-erc.txt', 'mrt-dc.xml'].map((name) =>
      readFileSync(join(folderOf(at, given).files, name), 'utf8'),
    );
    expect(erc).toBe(`erc:\nwho: (:unkn)\nwhat: Bay & coast\nwhen: (:unkn)\nwhere: ${ark}\nwhere: map <1>\n`);
    expect(dc).toContain('<dc:title>Bay &amp; coast</dc:title>');
    expect(dc).toContain('<dc:identifier>map &lt;1&gt;</dc:identifier>');
    expect([stored, answer]).toEqual([[ark], 200]);
  });

  it('S2-43 fail if the local id belongs to another ark, before anything is minted or stored', async () => {
    const before = ezid.identifiers.size;
    const given = job({ files: [fileIn(remote('a.txt'))], localId: 'known-1', ark: 'ark:/99999/fk4other' });
    await run('Downloading', given);
    await expect(run('Processing', given)).rejects.toThrow(
      "Expected 'known-1' to be ark:/99999/fk4other, but it is ark:/99999/fk4known",
    );
    expect([ezid.identifiers.size - before, stored]).toEqual([0, []]);
  });

  it('S2-43 mint no second ark if they are begun again, wherever they were interrupted', async () => {
    const before = ezid.identifiers.size;
    const given = job({ files: [fileIn(remote('a.txt'))] });
    await run('Downloading', given);
    storageAnswer = 503;
    await expect(run('Processing', given)).rejects.toThrow('answers 503');
    const { ark } = await folderOf(at, given).notes();
    // As if the process had died between EZID's answer and the note.
    await folderOf(at, given).note({ ark: null });
    storageAnswer = 200;
    await run('Processing', given);
    expect(await folderOf(at, given).notes()).toMatchObject({ ark });
    expect(ezid.identifiers.size - before).toBe(1);
  });
});

describe('a job that is worked on', () => {
  it('S2-49 is COMPLETED once it is stored, in the inventory, and its folder is gone', async () => {
    const [made] = await planned(deposit(objectOf(remote('a.txt'), remote('b.txt'))));
    const recorded: string[] = [];
    works({ inventory: false });
    await until('the job to wait for the inventory', async () =>
      (await service.waybill.task(made!.id).get()).lastStep === 'Processing' ? true : null,
    );
    const { ark } = await folderOf(at, jobIn(made!)).notes();
    expect(stored.filter((one) => one === ark)).toHaveLength(1);
    expect((await service.waybill.task(made!.id).get()).state).toBe('pending');
    const act = async (_: Step, { id }: Job) => void recorded.push(id);
    running.push(workOn(service.waybill, { name: 'inventory', steps: ['Recording'], act, signal: stopping.signal }));
    await becomes(made!.id, 'succeeded');
    expect(recorded.filter((id) => id === made!.id)).toHaveLength(1);
    expect(existsSync(folderOf(at, jobIn(made!)).path)).toBe(false);
  });

  it('S2-48 calls back, is counted by its submission and leaves no folder, or fails in Notify', async () => {
    callbackAnswer = 500;
    const given = deposit(objectOf(remote('a.txt')));
    const [made] = await planned(given);
    works();
    const failed = await becomes(made!.id, 'failed');
    expect(failed).toMatchObject({ lastStep: 'Recording', error: { message: expect.stringContaining('answers 500') } });
    const { ark } = await folderOf(at, jobIn(made!)).notes();
    callbackAnswer = 200;
    await service.waybill.task(made!.id).retry();
    await becomes(made!.id, 'succeeded');
    expect(JSON.parse(called.at(-1)!)).toEqual({ job: made!.id, batch: given.id });
    expect(stored.filter((one) => one === ark)).toHaveLength(1);
    expect(existsSync(folderOf(at, jobIn(made!)).path)).toBe(false);
    expect(await service.waybill.batch(given.id).get()).toMatchObject({ succeeded: 1 });
  });

  it('S2-52 loses its folder when it is deleted, failed or held', async () => {
    const lines = [remote('gone.txt', null), remote('a.txt')];
    const made = await planned(deposit(manifestOf('mrt-single-file-batch-manifest', ...lines)), {
      folders: 'planning',
    });
    const bad = made.find(({ reference }) => reference === 'gone.txt')!;
    const held = made.find(({ reference }) => reference === 'a.txt')!;
    await service.waybill.task(held.id).hold();
    works();
    running.push(tidyUp(service.waybill, at, stopping.signal));
    await becomes(bad.id, 'failed');
    for (const one of [bad, held]) {
      expect(existsSync(folderOf(at, jobIn(one)).path)).toBe(true);
      await service.waybill.task(one.id).delete();
      await until('the folder to go', async () => (existsSync(folderOf(at, jobIn(one)).path) ? null : true));
    }
  });
});
