import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identifierFor } from './ezid.js';
import { Unavailable } from './unavailable.js';
import { assertDigest, BadFile, digestOf, fetchAll, spaceFor } from './files.js';
import type { JobFolder } from './folder.js';
import { folderOf, type Job, type JobData, type Repository } from './job.js';
import { fileOf, linesOf, type RemoteFile } from './manifests.js';
import { OWN_PROVISIONING } from './queues.js';
import { dublinCoreOf, ercOf, localIdIn } from './records.js';

/** One attempt at a step. */
export interface StepRun {
  readonly job: Job;
  readonly signal: AbortSignal;
  /** Keeps data of the job at once, also if the step does not end. */
  readonly record: (data: Partial<JobData>) => Promise<void>;
}

/** What a step leaves behind. `mark: false`: it went on without its result, so it is not the last successful step. */
export interface StepResult {
  readonly data?: Partial<JobData>;
  readonly mark?: false;
}

/** All steps but `Recording`, which is another service's. Each begins from what is there, so it may be interrupted and begun again anywhere. */
export const steps = {
  Estimating: estimate,
  Provisioning: provision,
  [OWN_PROVISIONING]: provisionOwn,
  Downloading: download,
  Processing: process,
  Notify: notify,
} satisfies Record<string, (run: StepRun, at: Repository) => Promise<StepResult>>;

export type OwnStep = keyof typeof steps;

const FETCHING = { tries: 3, atOnce: 4 };

/** If a server does not say how large a file is, the job goes on without an estimate. */
async function estimate(run: StepRun, at: Repository): Promise<StepResult> {
  const { job, signal } = run;
  await folderOf(at, job).make();
  const further = await filesAhead(run, at);
  if (further === null) return { mark: false };
  const spaceNeeded = await spaceFor([...job.files, ...further], { signal, headMs: at.headMs });
  return spaceNeeded === null ? { mark: false } : { data: { spaceNeeded } };
}

/** What a manifest lists is needed, too, so the manifest is fetched first; null if that fails, which Downloading then says. */
async function filesAhead({ job, signal }: StepRun, at: Repository): Promise<readonly RemoteFile[] | null> {
  if (job.payloadType !== 'manifest') return [];
  const folder = folderOf(at, job);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(at.headMs)]);
  try {
    await fetchAll(job.files, { tries: 1, atOnce: 1, folder: folder.files, signal: inTime });
    return await furtherFiles(job, folder);
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** The queue gives the job out for this step once there is room. */
async function provision({ job }: StepRun): Promise<StepResult> {
  return { data: { inaccurate: job.lastSuccessfulStep !== 'Estimating' } };
}

/** The queue gives the job out for this step once another file system may be made. */
async function provisionOwn(run: StepRun, at: Repository): Promise<StepResult> {
  await folderOf(at, run.job).makeDedicated();
  return provision(run);
}

async function download({ job, signal }: StepRun, at: Repository): Promise<StepResult> {
  const folder = folderOf(at, job);
  await folder.make();
  const rules = { ...FETCHING, folder: folder.files, signal };
  const first = await fetchAll(job.files, rules);
  const more = await furtherFiles(job, folder);
  return { data: { spaceNeeded: first + (await fetchAll(more, rules)) } };
}

/** The files that a fetched manifest lists. */
async function furtherFiles({ payloadType, files }: Job, folder: JobFolder): Promise<readonly RemoteFile[]> {
  if (payloadType !== 'manifest') return [];
  return linesOf(await readFile(join(folder.files, files[0]!.name), 'utf8')).map(fileOf);
}

/** In this order: digests, local id, ark, records, the manifest of what is stored, and the storage itself. */
async function process(run: StepRun, at: Repository): Promise<StepResult> {
  const { job } = run;
  const folder = folderOf(at, job);
  for (const { name, digest } of [...job.files, ...(await furtherFiles(job, folder))])
    if (digest !== null) await assertDigest(name, join(folder.files, name), digest);
  const localId = job.localId ?? (await localIdOf(folder));
  const ark = await arkFor(run, localId, at);
  const about = { ...job, ark, localId };
  await writeFile(join(folder.files, 'mrt-erc.txt'), ercOf(about));
  await writeFile(join(folder.files, 'mrt-dc.xml'), dublinCoreOf(about));
  return { data: { stored: await store(ark, folder, at, run.signal) } };
}

const localIdOf = async (folder: JobFolder): Promise<string | null> => {
  const erc = await readFile(join(folder.files, 'mrt-erc.txt'), 'utf8').catch(() => null);
  return erc === null ? null : localIdIn(erc);
};

/** The ark that was given, that of the local id, that of an earlier attempt, or a new one. */
async function arkFor({ job, signal, record }: StepRun, localId: string | null, at: Repository): Promise<string> {
  const known = localId === null ? null : await at.arkOf(localId);
  if (job.ark !== null && known !== null && known !== job.ark)
    throw new BadFile(`Expected '${localId}' to be ${job.ark}, but it is ${known}`);
  if (job.data.ark !== null) return job.data.ark;
  const ark = job.ark ?? known ?? (await identifierFor(job.id, at.ezid, signal));
  await record({ ark });
  return ark;
}

/** Sends the manifest of the object. The storage fetches the files by it. */
async function store(ark: string, folder: JobFolder, at: Repository, signal: AbortSignal): Promise<number> {
  const names = (await readdir(folder.files)).filter((name) => !name.endsWith('.part')).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${name} | sha256 | ${await digestOf(join(folder.files, name), 'sha256')}`),
  );
  const body = ['#%checkm_0.7', ...lines, '#%eof', ''].join('\n');
  const response = await fetch(`${at.storage}/${encodeURIComponent(ark)}`, { method: 'PUT', body, signal });
  if (!response.ok) throw new Unavailable(`Expected the storage to take ${ark}, but it answers ${response.status}`);
  return response.status;
}

/** The callback gets the job's id with every try, so that it can tell a repetition. */
async function notify({ job, signal }: StepRun, at: Repository): Promise<StepResult> {
  if (at.callback !== null) {
    const body = JSON.stringify({ job: job.id, batch: job.batch });
    const response = await fetch(at.callback, { method: 'POST', body, signal });
    if (!response.ok) throw new Unavailable(`Expected the callback to be taken, but it answers ${response.status}`);
  }
  await folderOf(at, job).remove();
  return {};
}
