import { firstDataOf } from '../kernel/changed-data.js';
import type { Json, JsonObject } from '../kernel/json.js';
import type { FailurePolicy } from './failure-policy.js';
import { isResumable } from './step-policy.js';
import { isOpen, type Rerun, type Submission } from './task.events.js';
import type { TaskRejection } from './task.rejections.js';
import type { KnownTask, TaskFacts, TaskState } from './task.state.js';

/** In what the second run of a task differs from the first. */
export interface RunAgainOrder {
  /** Absent: the payload that the first run had at its end. */
  readonly payload?: Json;
  /** The step at which it begins, with the data recorded so far. Absent: the first one, with the data as submitted. */
  readonly fromStep?: string;
  /** Absent: the queue of the first run. */
  readonly queue?: string;
}

/** The queue of the second run: its rules for steps, and the steps of a new task. Null rules: there is no such queue. */
export interface QueueOfRun {
  readonly name: string;
  readonly policy: FailurePolicy | null;
  readonly steps: readonly string[];
}

type Kept = 'kind' | 'key' | 'reference' | 'labels' | 'description' | 'needs' | 'auditContext';

/** What is submitted for the second run. It waits for nothing, is due at once, and belongs to no batch. */
export type SecondRun = Pick<Submission, 'queue' | 'payload' | 'priority' | 'data' | Kept> & {
  readonly steps: readonly string[];
  readonly rerunOf: Rerun;
};

/** Decides what the second run of a task begins with, or why there is none. The first run is not changed. */
export function secondRun(
  id: string,
  state: TaskState,
  order: RunAgainOrder,
  queue: QueueOfRun,
): SecondRun | TaskRejection {
  if (state.status === 'unknown' || state.status === 'deleted') return { code: 'TASK_NOT_FOUND' };
  if (isOpen(state.status)) return { code: 'TASK_NOT_ENDED', state: state.status };
  const { submission, erased } = state.task;
  if (erased) return { code: 'TASK_ERASED' };
  if (submission.plans !== undefined) return { code: 'TASK_NOT_REPEATABLE', because: 'planner' };
  if (submission.items !== undefined) return { code: 'TASK_NOT_REPEATABLE', because: 'job' };
  const steps = queue.name === submission.queue ? (submission.steps ?? []) : queue.steps;
  const refusal = stepRefusal(order.fromStep, steps, queue);
  return refusal ?? { ...contents(state, order), queue: queue.name, steps, ...beginning(id, state.task, order, steps) };
}

function stepRefusal(step: string | undefined, steps: readonly string[], { policy }: QueueOfRun): TaskRejection | null {
  if (step === undefined) return null;
  if (!steps.includes(step)) return { code: 'STEP_UNKNOWN', step, steps };
  const isFree = step === steps[0] || policy === null || isResumable(policy, step);
  return isFree ? null : { code: 'STEP_NOT_RESUMABLE', step };
}

function contents({ task }: KnownTask, order: RunAgainOrder): Pick<SecondRun, 'payload' | 'priority' | Kept> {
  const { kind, key, reference, labels, description, needs, auditContext, payload } = task.submission;
  const given = order.payload !== undefined ? order.payload : payload === undefined ? undefined : task.payload;
  return {
    kind,
    priority: task.priority,
    ...(given !== undefined && { payload: given }),
    ...(key !== undefined && { key }),
    ...(reference !== undefined && { reference }),
    ...(labels !== undefined && { labels }),
    ...(description !== undefined && { description }),
    ...(needs !== undefined && { needs }),
    ...(auditContext !== undefined && { auditContext }),
  };
}

function beginning(
  task: string,
  { data, submission }: TaskFacts,
  { fromStep: step }: RunAgainOrder,
  steps: readonly string[],
): Pick<SecondRun, 'rerunOf' | 'data'> {
  if (step === undefined) return { rerunOf: { task }, ...dataIn(firstDataOf(submission)) };
  const lastStep = steps[steps.indexOf(step) - 1];
  return { rerunOf: { task, step, ...(lastStep !== undefined && { lastStep }), ...dataIn(data) } };
}

const dataIn = (data: JsonObject): { readonly data?: JsonObject } => (Object.keys(data).length > 0 ? { data } : {});
