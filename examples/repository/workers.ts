import type { ClaimedTask, Json, SettleVerdict, Waybill } from '@waybill/client';
import { BadFile } from './files.js';
import { type Job, jobOf, type Repository } from './job.js';
import { CorruptManifest } from './manifests.js';
import { JOBS } from './queues.js';
import { type OwnStep, type Step, type StepResult, type StepRun, steps } from './steps.js';
import { removeIfDeleted } from './tidy-up.js';

export interface StepWorker {
  readonly name: string;
  /** The steps that it works on. */
  readonly steps: readonly Step[];
  readonly act: (step: Step, run: StepRun) => Promise<StepResult>;
  /** Called for a job that was taken away from the worker while it worked. */
  readonly onLost?: (job: Job) => Promise<void>;
  readonly signal: AbortSignal;
  readonly waitMs?: number;
}

/** Short, because who kills the example and starts it again waits for it. */
export const LEASE_MS = 6_000;

/** Works on the jobs that are at certain steps, one after the other. After each step, any worker may have the job. */
export async function workOn(waybill: Waybill, worker: StepWorker): Promise<void> {
  const { name, signal, waitMs = 20_000 } = worker;
  const request = { worker: name, max: 1, steps: [...worker.steps], waitMs, leaseMs: LEASE_MS };
  while (!signal.aborted) {
    const claimed = await waybill
      .queue(JOBS)
      .claim(request, { signal })
      .catch((error: unknown) => (signal.aborted ? [] : Promise.reject(error as Error)));
    for (const task of claimed) await work(waybill, task, worker);
  }
}

async function work(waybill: Waybill, task: ClaimedTask, worker: StepWorker): Promise<void> {
  const { taskId, token } = task;
  const beats = setInterval(() => void waybill.extend([{ taskId, token }]).catch(() => undefined), LEASE_MS / 3);
  try {
    const verdict = await outcomeOf(waybill, task, worker);
    if (verdict === null) return;
    const [answer] = await waybill.settle([{ taskId, token, verdict }]);
    if ('problem' in answer!) await worker.onLost?.(jobOf(task));
  } finally {
    clearInterval(beats);
  }
}

/** Null if the worker stops: the job is given out again when its lease ends. */
async function outcomeOf(
  waybill: Waybill,
  task: ClaimedTask,
  { act, signal }: StepWorker,
): Promise<SettleVerdict | null> {
  const step = task.step as Step;
  const record = (data: object) => recorded(waybill, task, data as Record<string, Json>);
  try {
    const result = await act(step, { job: jobOf(task), signal, record });
    return { type: 'completeStep', step, then: 'offer', ...(result as { data?: Record<string, Json> }) };
  } catch (error) {
    if (signal.aborted) return null;
    const { message } = error as Error;
    const isBad = error instanceof BadFile || error instanceof CorruptManifest;
    return { type: 'fail', error: { class: isBad ? 'business' : 'transient', message } };
  }
}

async function recorded(waybill: Waybill, { taskId, token }: ClaimedTask, data: Record<string, Json>): Promise<void> {
  const [answer] = await waybill.settle([{ taskId, token, verdict: { type: 'record', data } }]);
  if ('problem' in answer!) throw new Error(answer.problem.detail);
}

/** The steps of the repository itself. */
export const repositoryWorker = (
  waybill: Waybill,
  at: Repository,
  given: Omit<StepWorker, 'steps' | 'act' | 'onLost'>,
) =>
  workOn(waybill, {
    ...given,
    steps: Object.keys(steps) as OwnStep[],
    act: (step, run) => steps[step as OwnStep](run, at),
    onLost: (job) => removeIfDeleted(waybill, job, at),
  });
