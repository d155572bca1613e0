import { type Run, steps, type Task, type Waybill, type Worker, type WorkerOptions } from '@waybill/client';
import { type JobOrder, jobOf, type Repository } from './job.js';
import { JOBS } from './queues.js';
import { type StepResult, type StepRun, steps as ownSteps } from './steps.js';
import { removeIfDeleted } from './tidy-up.js';

/** Short, because who kills the example and starts it again waits for it. */
export const LEASE_MS = 6_000;

type Acts = Readonly<Record<string, (run: StepRun) => Promise<StepResult>>>;

/** Works on the jobs that are at these steps. */
export function workerOf(waybill: Waybill, acts: Acts, options: WorkerOptions): Worker {
  const handlers = Object.entries(acts).map(([step, act]) => {
    const handler = async (task: Task<JobOrder>, run: Run<JobOrder>) => run.done(await act(runOf(task, run)));
    return [step, handler] as const;
  });
  const worker = waybill.worker({ logger: null, leaseMs: LEASE_MS, ...options });
  return worker.handle(JOBS, steps<JobOrder>(Object.fromEntries(handlers)));
}

const runOf = (task: Task<JobOrder>, run: Run<JobOrder>): StepRun => ({
  job: jobOf(task),
  signal: run.signal,
  record: (data) => run.record(data),
});

/** The steps of the repository itself. A job that is deleted while it runs leaves no folder. */
export function repositoryWorker(waybill: Waybill, at: Repository, options: WorkerOptions): Worker {
  const acts = Object.entries(ownSteps).map(([step, act]) => [step, (run: StepRun) => act(run, at)] as const);
  const worker = workerOf(waybill, Object.fromEntries(acts), options);
  return worker.on('lost', ({ task }) => void removeIfDeleted(waybill, jobOf(task), at).catch(() => undefined));
}
