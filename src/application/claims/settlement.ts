import type { Json, JsonObject } from '../../domain/kernel/json.js';
import { gatedSteps, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import { runLimits } from '../../domain/task/run-limits.js';
import { marksSuccess } from '../../domain/task/step-policy.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { offers } from '../tasks/offers.js';
import { recordedError, type ReportedError } from './recorded-error.js';

/** A worker's report that ends or advances its attempt. */
export type Verdict =
  | { readonly type: 'succeed'; readonly result?: Json; readonly noChange?: boolean }
  | { readonly type: 'fail'; readonly error: ReportedError; readonly final?: boolean; readonly retryAfterMs?: number }
  | {
      readonly type: 'completeStep';
      readonly step: string;
      readonly then: 'continue' | 'offer';
      readonly result?: Json;
      readonly data?: JsonObject;
      readonly priority?: number;
      /** False: the last successful step stays as it is. */
      readonly mark?: boolean;
    }
  | { readonly type: 'record'; readonly data: JsonObject }
  | { readonly type: 'reportError'; readonly error: ReportedError }
  | {
      readonly type: 'return';
      readonly afterMs?: number;
      readonly unstarted?: boolean;
      /** The worker does not know tasks of this kind. */
      readonly unknownKind?: boolean;
    }
  /** Without a signal: for a time alone. */
  | { readonly type: 'wait'; readonly signal?: string; readonly number: number; readonly timeoutMs: number }
  | { readonly type: 'confirmCancel' }
  | { readonly type: 'cancel'; readonly reason?: string };

export interface SettleItem {
  readonly taskId: string;
  /** The token of the claim: `<fencing number>.<secret>`. */
  readonly token: string;
  readonly verdict: Verdict;
  /** Where the trace of the attempt stands. Defaults to that of the request. */
  readonly traceparent?: string;
}

/** The members that every command under a claim begins with. */
export type UnderClaim = Pick<Extract<TaskCommand, { readonly token: string }>, 'now' | 'by' | 'token'>;

export function settlingCommand(
  verdict: Verdict,
  under: UnderClaim,
  policy: QueuePolicy,
  conflictingTaskId: string | null,
): TaskCommand {
  switch (verdict.type) {
    case 'succeed':
      return { type: 'SucceedTask', result: verdict.result ?? null, noChange: verdict.noChange ?? false, ...under };
    case 'fail':
      return {
        ...under,
        type: 'FailTask',
        ...failure(verdict, policy),
        policy,
        random: Math.random(),
        conflictingTaskId,
      };
    case 'completeStep':
      return {
        ...under,
        type: 'CompleteStep',
        step: verdict.step,
        then: verdict.then,
        result: verdict.result ?? null,
        gated: gatedSteps(policy),
        ...runLimits(policy),
        conflictingTaskId,
        ...recordedWithStep(verdict, policy),
      };
    case 'record':
      return { ...under, type: 'RecordData', patch: verdict.data };
    case 'reportError':
      return { ...under, type: 'ReportError', error: recordedError(verdict.error, policy) };
    case 'return':
      return { ...under, type: 'ReturnTask', ...returned(verdict), conflictingTaskId };
    case 'wait':
      return { ...verdict, ...under, type: 'WaitTask', conflictingTaskId };
    case 'confirmCancel':
      return { ...under, type: 'ConfirmCancel', conflictingTaskId };
    case 'cancel':
      // Where no task can be cancelled, a worker that stops gives its task back.
      if (!offers('CancelTask', policy))
        return { ...under, type: 'ReturnTask', ...returned({ type: 'return' }), conflictingTaskId };
      return { ...under, type: 'CancelRun', reason: verdict.reason ?? null, conflictingTaskId };
  }
}

const recordedWithStep = (
  { step, data, priority, mark }: Extract<Verdict, { readonly type: 'completeStep' }>,
  policy: QueuePolicy,
) => ({
  ...(data !== undefined && { data }),
  ...(priority !== undefined && { priority, takesPriority: policy.workersPrioritise }),
  ...((mark === false || !marksSuccess(policy, step)) && { unmarked: true as const }),
});

const failure = ({ error, final, retryAfterMs }: Extract<Verdict, { readonly type: 'fail' }>, policy: QueuePolicy) => ({
  error: recordedError(error, policy),
  final: final ?? false,
  retryAfterMs: retryAfterMs ?? null,
});

const returned = ({ afterMs = 0, unstarted = false }: Extract<Verdict, { readonly type: 'return' }>) => ({
  afterMs,
  unstarted,
});
