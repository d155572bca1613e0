import type { IsoTime, Json } from '../kernel/json.js';
import type { CancelRunning, FailurePolicy } from './failure-policy.js';
import type { HoldRef, Submission, TaskError } from './task.events.js';

/** Every command says when it was given (database clock) and by whom. */
interface Given {
  readonly now: IsoTime;
  readonly by: string;
}

/** A worker's command proves its claim by the fencing token. */
interface UnderClaim extends Given {
  readonly token: string;
}

export type TaskCommand =
  | (Given & { readonly type: 'PrepareTask'; readonly submission: Submission })
  | (Given & { readonly type: 'EnqueueTask'; readonly submission: Submission; readonly heldBy: HoldRef | null })
  | (Given & { readonly type: 'RejectEnqueue'; readonly submission: Submission; readonly error: TaskError })
  | (Given & { readonly type: 'SubmitTask'; readonly heldBy: HoldRef | null })
  | (Given & { readonly type: 'HoldTask'; readonly reason: string | null })
  | (Given & { readonly type: 'ReleaseTask' })
  | (Given & {
      readonly type: 'ClaimTask';
      readonly token: string;
      readonly claimId: string;
      readonly worker: string;
      readonly server: string;
      readonly leaseMs: number;
      readonly waitedMs: number;
    })
  | (UnderClaim & {
      readonly type: 'CompleteStep';
      readonly step: string;
      readonly then: 'continue' | 'offer';
      readonly result: Json;
      /** As with `FailTask`, for a task that is offered. */
      readonly conflictingTaskId?: string | null;
    })
  | (UnderClaim & { readonly type: 'ReportError'; readonly error: TaskError })
  | (UnderClaim & { readonly type: 'SucceedTask'; readonly result: Json; readonly noChange: boolean })
  | (UnderClaim & {
      readonly type: 'FailTask';
      readonly error: TaskError;
      readonly final: boolean;
      readonly policy: FailurePolicy;
      /** The worker's wish for the delay of an automatic retry (`retryLater`); null leaves it to the policy. */
      readonly retryAfterMs: number | null;
      /** In [0, 1), for the jitter. */
      readonly random: number;
      /** The task that already waits for this key: then this one is not given back (S0-42). */
      readonly conflictingTaskId: string | null;
    })
  | (UnderClaim & { readonly type: 'ReturnTask'; readonly conflictingTaskId: string | null })
  | (UnderClaim & {
      readonly type: 'ExpireLease';
      readonly policy: FailurePolicy;
      readonly conflictingTaskId: string | null;
    })
  | (UnderClaim & { readonly type: 'ConfirmCancel'; readonly conflictingTaskId: string | null })
  | (Given & { readonly type: 'DecideRetry'; readonly heldBy: HoldRef | null })
  | (Given & { readonly type: 'DecideFail' })
  | (Given & {
      readonly type: 'RetryTask';
      readonly step: string | null;
      readonly override: boolean;
      readonly heldBy: HoldRef | null;
    })
  | (Given & { readonly type: 'CancelTask'; readonly reason: string | null; readonly onRunning: CancelRunning })
  | (Given & { readonly type: 'AbortTask'; readonly reason: string | null })
  | (Given & { readonly type: 'ReprioritiseTask'; readonly priority: number })
  | (Given & { readonly type: 'RescheduleTask'; readonly dueAt: IsoTime | null })
  | (Given & { readonly type: 'AmendPayload'; readonly payload: Json })
  | (Given & { readonly type: 'SupersedeTask'; readonly bySuccessOf: string })
  | (Given & { readonly type: 'DeleteTask'; readonly force: boolean })
  | (Given & {
      readonly type: 'OverruleTask';
      readonly verdict: 'succeed' | 'fail' | 'requeue';
      readonly reason: string;
      readonly conflictingTaskId: string | null;
    });

export type TaskCommandType = TaskCommand['type'];

export type TaskCommandOf<T extends TaskCommandType> = Extract<TaskCommand, { readonly type: T }>;
