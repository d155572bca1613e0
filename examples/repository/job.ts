import type { Task, TaskHandle } from '@waybill/client';
import { join } from 'node:path';
import type { EzidOptions } from './ezid.js';
import { JobFolder } from './folder.js';
import type { JobPlan } from './manifests.js';

/** The payload of a job: what it is given when it is made, and keeps. */
export interface JobOrder extends JobPlan {
  readonly profile: string;
  readonly batch: string;
  readonly submitter: string;
  /** Whether its object is new, or is in the repository already and gets a new version. */
  readonly updateStatus: 'new' | 'update';
  /** What it waits for before its files are fetched: the working storage, or a file system of its own. */
  readonly resourceToProvision: string;
  /** The name of its folder, in that of its submission. */
  readonly folder: string;
}

/** The data of a job's task: what its steps tell one another, and a later attempt. */
export type JobData = {
  readonly spaceNeeded: number;
  /** Whether a server did not tell the size of a file, so that the space may not suffice. */
  readonly inaccurate: boolean;
  readonly ark: string | null;
  /** What the storage answered; null before the object is stored. */
  readonly stored: number | null;
};

export interface Job extends JobOrder {
  readonly id: string;
  readonly data: JobData;
  readonly lastSuccessfulStep: string | null;
}

const NOTHING: JobData = { spaceNeeded: 0, inaccurate: false, ark: null, stored: null };

export const orderOf = (plan: JobPlan, about: Omit<JobOrder, keyof JobPlan>): JobOrder => ({
  ...plan,
  ...about,
});

type TaskView = Awaited<ReturnType<TaskHandle['get']>>;

/** The job of a task, as anybody may see it. */
export const jobIn = ({ id, payload, data, lastStep }: TaskView): Job => ({
  ...(payload as JobOrder),
  id,
  data: { ...NOTHING, ...data },
  lastSuccessfulStep: lastStep,
});

/** The job of a task, as its worker gets it. */
export const jobOf = ({ taskId: id, payload, data, lastSuccessfulStep }: Task<any>): Job => ({
  ...(payload as JobOrder),
  id,
  data: { ...NOTHING, ...data },
  lastSuccessfulStep,
});

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
  /** How long a server may take to tell the size of a file. */
  readonly headMs: number;
}

export const folderOf = ({ root }: Pick<Repository, 'root'>, { batch, folder }: Pick<Job, 'batch' | 'folder'>) =>
  new JobFolder(join(root, batch, folder));
