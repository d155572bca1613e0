import type { ClaimedTask, SettleVerdict, Waybill } from '@waybill/client';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BadFile } from './files.js';
import { folderOf, type Job, type Repository, type Step, steps } from './job.js';
import { CorruptManifest } from './manifests.js';
import { JOBS } from './queues.js';

export interface StepWorker {
  readonly name: string;
  /** The steps that it works on. */
  readonly steps: readonly Step[];
  readonly act: (step: Step, job: Job, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}

const LEASE_MS = 30_000;

/** Works on the jobs that are at certain steps, one after the other. After each step, any worker may have the job. */
export async function workOn(waybill: Waybill, { name, steps: at, act, signal, waitMs = 20_000 }: StepWorker) {
  const queue = waybill.queue<Omit<Job, 'id'>>(JOBS);
  while (!signal.aborted) {
    const claimed = await queue
      .claim({ worker: name, max: 1, steps: [...at], waitMs, leaseMs: LEASE_MS }, { signal })
      .catch((error: unknown) => (signal.aborted ? [] : Promise.reject(error as Error)));
    for (const task of claimed) await work(waybill, task, act, signal);
  }
}

async function work(waybill: Waybill, task: ClaimedTask, act: StepWorker['act'], signal: AbortSignal) {
  const { taskId, token } = task;
  const beats = setInterval(() => void waybill.extend([{ taskId, token }]).catch(() => undefined), LEASE_MS / 3);
  try {
    const verdict = await outcomeOf(task, act, signal);
    if (verdict !== null) await waybill.settle([{ taskId, token, verdict }]);
  } finally {
    clearInterval(beats);
  }
}

/** Null if the worker stops: the job is given out again when its lease ends. */
async function outcomeOf(
  task: ClaimedTask,
  act: StepWorker['act'],
  signal: AbortSignal,
): Promise<SettleVerdict | null> {
  const step = task.step as Step;
  try {
    await act(step, { id: task.taskId, ...(task.payload as Omit<Job, 'id'>) }, signal);
    return { type: 'completeStep', step, then: 'offer' };
  } catch (error) {
    if (signal.aborted) return null;
    const { message } = error as Error;
    const isBad = error instanceof BadFile || error instanceof CorruptManifest;
    return { type: 'fail', error: { class: isBad ? 'business' : 'transient', message } };
  }
}

/** The steps of the repository itself. `Recording` is another service's. */
export const repositoryWorker = (waybill: Waybill, at: Repository, given: Omit<StepWorker, 'steps' | 'act'>) =>
  workOn(waybill, {
    ...given,
    steps: ['Estimating', 'Provisioning', 'Downloading', 'Processing', 'Notify'],
    act: (step, job, signal) => steps[step as keyof typeof steps](job, at, signal),
  });

/** Deletes the folders of jobs and submissions that were deleted, also of those before it started. */
export async function tidyUp(waybill: Waybill, at: Pick<Repository, 'root'>, signal: AbortSignal): Promise<void> {
  const ofJobs = async () => {
    for await (const { stream } of waybill.events({ queue: JOBS, type: 'TaskDeleted', follow: true, signal })) {
      const { payload } = await waybill.task(stream.slice('task-'.length)).get();
      await folderOf(at, payload as Omit<Job, 'id'>).remove();
    }
  };
  const ofSubmissions = async () => {
    for await (const { data } of waybill.events({ type: 'BatchDeleted', follow: true, signal }))
      await rm(join(at.root, (data as { batch: string }).batch), { recursive: true, force: true });
  };
  await Promise.all([ofJobs(), ofSubmissions()]).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
