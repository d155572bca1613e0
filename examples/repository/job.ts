import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertDigest, BadFile, digestOf, fetchAll, spaceFor } from './files.js';
import { type EzidOptions, identifierFor } from './ezid.js';
import { fileOf, type JobPlan, linesOf, type RemoteFile } from './manifests.js';
import { JobFolder } from './notes.js';
import { dublinCoreOf, ercOf, localIdIn } from './records.js';

/** The steps in which the repository works on a job itself. Another service works on `Recording`. */
export const STEPS = ['Estimating', 'Provisioning', 'Downloading', 'Processing', 'Recording', 'Notify'] as const;
export type Step = (typeof STEPS)[number];

export interface Job {
  readonly id: string;
  readonly batch: string;
  /** The name of its folder, in that of its submission. */
  readonly folder: string;
  readonly plan: JobPlan;
}

export interface Repository {
  /** The folder of all submissions. That of a job is in that of its submission. */
  readonly root: string;
  readonly ezid: EzidOptions;
  /** Where the objects are stored. */
  readonly storage: string;
  /** Who is called once a job is done; null for nobody. */
  readonly callback: string | null;
  /** The arks of objects that have a local id already. */
  readonly arkOf: (localId: string) => Promise<string | null>;
}

const FETCHING = { tries: 3, atOnce: 4 };

export const folderOf = (
  { root }: Pick<Repository, 'root'>,
  { batch, folder }: Pick<Job, 'batch' | 'folder'>,
): JobFolder => new JobFolder(join(root, batch, folder));

/** Each step begins from what is on the disk, so it may be interrupted and begun again anywhere. */
export const steps: Readonly<
  Record<Exclude<Step, 'Recording'>, (job: Job, at: Repository, signal: AbortSignal) => Promise<void>>
> = { Estimating: estimate, Provisioning: provision, Downloading: download, Processing: process, Notify: notify };

/** If a server does not say how large a file is, nothing is noted. */
async function estimate(job: Job, at: Repository, signal: AbortSignal): Promise<void> {
  const folder = folderOf(at, job);
  await folder.make();
  const spaceNeeded = await spaceFor(job.plan.files, signal);
  if (spaceNeeded !== null) await folder.note({ spaceNeeded });
}

/** The queue gives the job out for this step once there is room. */
async function provision(job: Job, at: Repository): Promise<void> {
  const folder = folderOf(at, job);
  const { spaceNeeded } = await folder.notes();
  await folder.note({ inaccurate: spaceNeeded === 0 });
}

async function download(job: Job, at: Repository, signal: AbortSignal): Promise<void> {
  const folder = folderOf(at, job);
  await folder.make();
  const rules = { ...FETCHING, folder: folder.files, signal };
  const first = await fetchAll(job.plan.files, rules);
  const more = await furtherFiles(job, folder);
  await folder.note({ spaceNeeded: first + (await fetchAll(more, rules)) });
}

/** The files that a fetched manifest lists. */
async function furtherFiles({ plan }: Job, folder: JobFolder): Promise<readonly RemoteFile[]> {
  if (plan.payload !== 'manifest') return [];
  return linesOf(await readFile(join(folder.files, plan.files[0]!.name), 'utf8')).map(fileOf);
}

/** In this order: digests, local id, ark, records, the manifest of what is stored, and the storage itself. */
async function process(job: Job, at: Repository, signal: AbortSignal): Promise<void> {
  const folder = folderOf(at, job);
  const { plan } = job;
  for (const { name, digest } of [...plan.files, ...(await furtherFiles(job, folder))])
    if (digest !== null) await assertDigest(name, join(folder.files, name), digest);
  const localId = plan.localId ?? (await localIdOf(folder));
  const ark = await arkFor(job, at, localId, signal);
  await folder.note({ ark });
  const about = { ...plan, ark, localId };
  await writeFile(join(folder.files, 'mrt-erc.txt'), ercOf(about));
  await writeFile(join(folder.files, 'mrt-dc.xml'), dublinCoreOf(about));
  const stored = await store(ark, folder, at, signal);
  await folder.note({ stored });
}

const localIdOf = async (folder: JobFolder): Promise<string | null> => {
  const erc = await readFile(join(folder.files, 'mrt-erc.txt'), 'utf8').catch(() => null);
  return erc === null ? null : localIdIn(erc);
};

/** The ark that was noted or given, that of the local id, or a new one. */
async function arkFor(job: Job, at: Repository, localId: string | null, signal: AbortSignal): Promise<string> {
  const known = localId === null ? null : await at.arkOf(localId);
  const { ark: given } = job.plan;
  if (given !== null && known !== null && known !== given)
    throw new BadFile(`Expected '${localId}' to be ${given}, but it is ${known}`);
  const { ark: noted } = await folderOf(at, job).notes();
  return given ?? known ?? noted ?? (await identifierFor(job.id, at.ezid, signal));
}

/** Sends the manifest of the object. The storage fetches the files by it. */
async function store(ark: string, folder: JobFolder, at: Repository, signal: AbortSignal): Promise<number> {
  const names = (await readdir(folder.files)).filter((name) => !name.endsWith('.part')).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${name} | sha256 | ${await digestOf(join(folder.files, name), 'sha256')}`),
  );
  const body = ['#%checkm_0.7', ...lines, '#%eof', ''].join('\n');
  const response = await fetch(`${at.storage}/${encodeURIComponent(ark)}`, { method: 'PUT', body, signal });
  if (!response.ok) throw new Error(`Expected the storage to take ${ark}, but it answers ${response.status}`);
  return response.status;
}

/** The callback gets the job's id with every try, so that it can tell a repetition. */
async function notify(job: Job, at: Repository, signal: AbortSignal): Promise<void> {
  const folder = folderOf(at, job);
  if (at.callback !== null) {
    const body = JSON.stringify({ job: job.id, batch: job.batch });
    const response = await fetch(at.callback, { method: 'POST', body, signal });
    if (!response.ok) throw new Error(`Expected the callback to be taken, but it answers ${response.status}`);
  }
  await folder.remove();
}
