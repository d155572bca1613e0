import type { BatchHandle, EnqueueOptions, Planner, TasksOfBatch, Waybill } from '@waybill/client';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertDigest, BadFile } from './files.js';
import { folderOf, type JobOrder, orderOf } from './job.js';
import { CorruptManifest, type Digest, type JobPlan, KINDS, kindOf, oneJob, type PayloadKind } from './manifests.js';
import { DEDICATED, JOBS, STEPS_OF_OWN, STORAGE, SUBMISSIONS } from './queues.js';
import { receive, type ReceiveRules, type Submission } from './receive.js';

/** What the depositor says about the payload. */
export interface Deposit extends Submission {
  /** Where the payload can be fetched again. */
  readonly url: string;
  readonly digest?: Digest;
  readonly localId?: string;
  readonly ark?: string;
  /** Whether its objects are in the repository already. */
  readonly updateStatus?: JobOrder['updateStatus'];
  /** What its jobs wait for; by default the working storage. */
  readonly resourceToProvision?: JobOrder['resourceToProvision'];
  /** Who gets the reports, as mail. */
  readonly mailTo?: string;
}

/** The payload of the task that plans a submission. */
type Described = Omit<Deposit, 'payload' | 'mailTo'>;

/** Receives a submission and creates its batch. A submission that is sent again is the same batch. */
export async function submit(waybill: Waybill, deposit: Deposit, rules: ReceiveRules): Promise<BatchHandle> {
  const { payload: _, mailTo, ...described } = deposit;
  const { kind } = await receive(deposit, rules);
  const { id, fileName, profile, submitter } = deposit;
  return waybill.createBatch({
    id,
    name: fileName,
    labels: { profile, submitter, type: kind.name },
    ...(mailTo !== undefined && { reportTo: { mail: { to: [mailTo] } } }),
    plan: { queue: SUBMISSIONS, payload: described satisfies Described },
  });
}

export interface PlanRules {
  readonly root: string;
  readonly kinds?: readonly PayloadKind[];
  /** When the folders of jobs are made: when they are planned, or by their first step. */
  readonly folders: 'planning' | 'first-step';
}

/** Plans submissions: makes the jobs of their payloads. */
export const planWith =
  (rules: PlanRules): Planner<Described> =>
  async ({ payload: about }, plan) => {
    const { jobs, rejected } = await jobsOf(about, rules);
    for (const [number, job] of jobs.entries()) await addJob(plan, job, { about, number, rejected, rules });
  };

interface Analysed {
  readonly jobs: readonly JobPlan[];
  /** Why none of them can begin. */
  readonly rejected?: EnqueueOptions['rejected'];
}

/**
 * If a payload that is one job is not what its digest or its manifest says, this job is rejected. If it should be several,
 * nobody knows which, so the error fails the whole submission.
 */
async function jobsOf(about: Described, { root, kinds = KINDS }: PlanRules): Promise<Analysed> {
  const path = join(root, about.id, about.fileName);
  const text = await readFile(path, 'utf8');
  const kind = kindOf(text, kinds);
  const { url, fileName, digest = null, localId = null, ark = null } = about;
  const payload = { text, url, fileName, digest, localId, ark };
  try {
    if (digest) await assertDigest(fileName, path, digest);
    return { jobs: kind.jobs(payload) };
  } catch (error) {
    if (!kind.isOneJob || !(error instanceof BadFile || error instanceof CorruptManifest)) throw error;
    return { jobs: [oneJob(payload, [])], rejected: { message: error.message, class: 'business' } };
  }
}

interface Adding extends Pick<Analysed, 'rejected'> {
  readonly about: Described;
  readonly number: number;
  readonly rules: PlanRules;
}

async function addJob(plan: TasksOfBatch, job: JobPlan, { about, number, rejected, rules }: Adding): Promise<void> {
  const { id: batch, profile, submitter, updateStatus = 'new', resourceToProvision = STORAGE } = about;
  const folder = `job-${number}`;
  const order = orderOf(job, { batch, profile, submitter, updateStatus, resourceToProvision, folder });
  const steps = resourceToProvision === DEDICATED ? STEPS_OF_OWN : undefined;
  if (rules.folders === 'planning') await folderOf(rules, order).make();
  const reference = job.localId ?? job.files[0]?.name;
  plan.add(JOBS, order, { reference, labels: { profile }, ...(steps && { steps }), ...(rejected && { rejected }) });
}
