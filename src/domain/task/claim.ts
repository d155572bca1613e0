import { accept, alreadyDone, reject } from '../kernel/decider.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import { runUntil } from './run-limits.js';
import { meets, neededBy, needsNothing } from '../kernel/worker-labels.js';
import { begun, type KnownTask, type RunningTask, type Settlement, type TaskFacts } from './task.state.js';
import { type TaskDecision, illegal, type TaskRules } from './task.transitions.js';

export const CLAIM_RULES = {
  ClaimTask: claim,
  StartTask: claimAgain,
} satisfies Partial<TaskRules>;

/** A worker's commands under its claim. */
export type WorkerCommand = TaskCommandOf<
  | 'CompleteStep'
  | 'ReportError'
  | 'RecordData'
  | 'SucceedTask'
  | 'FailTask'
  | 'ReturnTask'
  | 'WaitTask'
  | 'ConfirmCancel'
  | 'CancelRun'
>;

function claim(command: TaskCommandOf<'ClaimTask'>, state: KnownTask): TaskDecision {
  if (state.status !== 'pending') return claimAgain(command, state);
  const needs = neededBy(state.task.submission.needs, command.needs);
  if (!meets(command.offers, needs)) return reject({ code: 'NEEDS_NOT_MET', needs });
  return accept<TaskEvent>(claimed(command, state.task));
}

function claimAgain(command: TaskCommandOf<'ClaimTask' | 'StartTask'>, state: KnownTask): TaskDecision {
  if (state.status !== 'running') return illegal(command, state);
  const { claimId, worker } = state.lease;
  return claimId === command.claimId && worker === command.worker
    ? alreadyDone
    : reject({ code: 'TASK_ALREADY_CLAIMED', by: worker, attempt: state.task.attempt });
}

/** The first claim of a task that begins with it. */
export const startedAtOnce = (command: TaskCommandOf<'StartTask'>): TaskEvent =>
  claimed({ ...command, waitedMs: 0 }, begun(command.submission));

type Claim = Omit<TaskCommandOf<'ClaimTask'>, 'type' | 'by'>;

function claimed(command: Claim, task: TaskFacts): TaskEvent {
  const { token, claimId, worker, server, build, leaseMs, waitedMs, now, limits, job, offers } = command;
  const attempt = task.attempt + 1;
  const data = {
    queue: task.submission.queue,
    attempt,
    token,
    worker,
    server,
    claimId,
    leaseMs,
    claimedAt: now,
    waitedMs,
    ...(build !== undefined && { build }),
    ...(offers !== undefined && isNeeded(command, task) && { offers }),
  };
  const { nextStep } = task;
  if (nextStep === null && job === undefined && limits === undefined) return { type: 'TaskClaimed', version: 1, data };
  // What is claimed for a job has as much time as the job.
  const until = job === undefined ? runUntil(limits, { claimedAt: now, step: nextStep, now }) : {};
  const more = { ...(nextStep !== null && { step: nextStep }), ...until, ...(job !== undefined && { job }) };
  return { type: 'TaskClaimed', version: 1, data: { ...more, ...data } };
}

const isNeeded = ({ needs }: Claim, { submission }: TaskFacts): boolean =>
  !needsNothing(neededBy(submission.needs, needs));

/** The token decides, not the clock: a claim stands until an event ends it, even past its deadline. */
export const holdsClaim = (command: { readonly token: string }, state: KnownTask): state is RunningTask =>
  state.status === 'running' && state.lease.token === command.token;

/**
 * The answer to a command under a claim that has ended. The worker of the last recorded settlement may repeat it,
 * whatever happened to the task since. For any other worker the lease is lost, or never existed.
 */
export function claimIsOver(command: WorkerCommand, state: KnownTask): TaskDecision {
  if (isRepeat(command, state)) return alreadyDone;
  return wasEverClaimed(state) ? leaseLost(state) : illegal(command, state);
}

export const leaseLost = (state: KnownTask): TaskDecision =>
  reject({
    code: 'LEASE_LOST',
    state: state.status,
    attempt: state.task.attempt,
    heldBy: state.status === 'running' ? state.lease.worker : null,
  });

/** A returned attempt does not count as one, but it shows that the task was claimed. */
const wasEverClaimed = ({ task }: KnownTask): boolean => task.attempt > 0 || task.lastSettlement !== null;

function isRepeat(command: WorkerCommand, { task }: KnownTask): boolean {
  const settlement = task.lastSettlement;
  if (settlement === null || settlement.token !== command.token) return false;
  if (!SETTLES_AS[command.type].includes(settlement.as)) return false;
  return command.type !== 'CompleteStep' || command.step === settlement.step;
}

const SETTLES_AS: Readonly<Record<WorkerCommand['type'], readonly Settlement['as'][]>> = {
  // Completing the last step is recorded as the task's success.
  CompleteStep: ['offered', 'succeeded'],
  ReportError: [],
  RecordData: [],
  SucceedTask: ['succeeded'],
  FailTask: ['failed'],
  ReturnTask: ['returned'],
  WaitTask: ['waited'],
  ConfirmCancel: ['cancelConfirmed'],
  // The worker's own request is recorded with its confirmation.
  CancelRun: ['cancelConfirmed'],
};
