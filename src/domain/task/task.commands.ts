import type { WaitingLimits } from './waiting-limits.js';
import type { IsoTime, Json, JsonObject } from '../kernel/json.js';
import type { CancelRunning, FailurePolicy } from './failure-policy.js';
import type { RunLimits } from './run-limits.js';
import {
  type HoldRef,
  type Prerequisite,
  type Submission,
  TASK_STATUSES,
  type TaskError,
  type TaskStatus,
} from './task.events.js';
import type { Before } from './task.state.js';
import type { WorkerLabels } from '../kernel/worker-labels.js';

/** Every command has the time at which it was given (database clock) and its actor. */
interface CommandInput {
  readonly now: IsoTime;
  readonly by: string;
}

/** The size of a report and of the history that it adds to. */
export interface ReportBounds {
  /** By how much the result or the details of the error exceed what the queue's policy allows; null if they do not. */
  readonly excess: { readonly bytes: number; readonly limit: number } | null;
  /** The number of events in the task's history. */
  readonly events: number;
}

/** A worker's command proves its claim by the fencing token. */
interface UnderClaim {
  readonly token: string;
  /** Absent if the report is small and does not make the history longer than its end does. */
  readonly bounds?: ReportBounds;
}

declare const DATA: unique symbol;

/** Everything about one type of command except its rule. */
interface Declaration<By extends 'operator' | 'worker' | 'service', Data extends object> {
  readonly by: By;
  /** The statuses in which the command can record something. */
  readonly on: readonly TaskStatus[];
  /** Never set. It carries the data's type. */
  readonly [DATA]?: Data;
}

/** Given by people, and by programs on their behalf. A queue may not offer all of them. */
const byOperator = <Data extends object = object>(...on: readonly TaskStatus[]): Declaration<'operator', Data> => ({
  by: 'operator',
  on,
});

/** Given by the worker that has the task. */
const byWorker = <Data extends object = object>(
  ...on: readonly TaskStatus[]
): Declaration<'worker', Data & UnderClaim> => ({ by: 'worker', on });

/** Given by the service itself, as a consequence of another command or of the clock. */
const byService = <Data extends object = object>(...on: readonly TaskStatus[]): Declaration<'service', Data> => ({
  by: 'service',
  on,
});

interface NewClaim {
  readonly token: string;
  readonly claimId: string;
  readonly worker: string;
  readonly server: string;
  /** The version of the worker's program. */
  readonly build?: string;
  readonly leaseMs: number;
  /** What the worker offers; absent: nothing. */
  readonly offers?: WorkerLabels;
  /** What the queue says that its tasks need; absent: it does not look at needs. */
  readonly needs?: WorkerLabels;
  /** How long attempts may take; absent: for ever. */
  readonly limits?: RunLimits;
  /** The task for which a trigger makes the claim. */
  readonly job?: string;
}

/** When a task goes back in line, another task of its key may already wait (S0-42). */
interface ForKey {
  /** The task that already waits for the key. If there is one, this task fails instead of waiting again. */
  readonly conflictingTaskId: string | null;
}

const AMENDABLE = ['prepared', 'pending', 'held', 'undecided', 'failed', 'cancelled'] as const;

/** Refusals and explanations list the commands in this order. */
export const TASK_COMMANDS = {
  PrepareTask: byService<{ readonly submission: Submission }>(),
  EnqueueTask: byService<{ readonly submission: Submission; readonly heldBy: HoldRef | null }>(),
  RejectEnqueue: byService<{ readonly submission: Submission; readonly error: TaskError }>(),
  /** The submission as it would begin a task of its own. `mostBytes`: of the list of payloads. */
  GatherSubmission: byService<{
    readonly submission: Submission;
    readonly limits: WaitingLimits;
    readonly mostBytes: number;
  }>('pending', 'held'),
  SubmitTask: byOperator<{ readonly heldBy: HoldRef | null }>('prepared'),
  ClaimTask: byService<NewClaim & { readonly waitedMs: number }>('pending'),
  StartTask: byService<NewClaim & { readonly submission: Submission }>(),
  CompleteStep: byWorker<
    Partial<ForKey> & {
      readonly step: string;
      readonly then: 'continue' | 'offer';
      readonly result: Json;
      /** The steps that need resources, so that each of them begins with a claim: before them, `continue` is `offer`. */
      readonly gated?: readonly string[];
      /** How long attempts may take; absent: for ever. */
      readonly limits?: RunLimits;
      /** Recorded with the step. */
      readonly data?: JsonObject;
      /** The task's new priority, and whether its queue lets workers change it. */
      readonly priority?: number;
      readonly takesPriority?: boolean;
      /** Set if the last successful step stays as it is. */
      readonly unmarked?: true;
    }
  >('running'),
  ReportError: byWorker<{ readonly error: TaskError }>('running'),
  RecordData: byWorker<{ readonly patch: JsonObject }>('running'),
  SucceedTask: byWorker<{ readonly result: Json; readonly noChange: boolean }>('running'),
  FailTask: byWorker<
    ForKey & {
      readonly error: TaskError;
      readonly final: boolean;
      readonly policy: FailurePolicy;
      /** The delay of an automatic retry that the worker asks for (`retryLater`); null leaves it to the policy. */
      readonly retryAfterMs: number | null;
      /** Random, in [0, 1), for the jitter. */
      readonly random: number;
    }
  >('running'),
  /** `afterMs`: the task waits at least so long. `unstarted`: the worker did not begin it. */
  ReturnTask: byWorker<ForKey & { readonly afterMs?: number; readonly unstarted?: boolean }>('running'),
  /** The same wait has the same signal and number whenever the handler runs again. */
  WaitTask: byWorker<ForKey & { readonly signal?: string; readonly number: number; readonly timeoutMs: number }>(
    'running',
  ),
  TimeOutRun: byService<
    UnderClaim &
      ForKey & {
        readonly policy: FailurePolicy;
        /** Random, in [0, 1), for the jitter. */
        readonly random: number;
      }
  >('running'),
  /** `unheard`: no heartbeat came since the claim. */
  ExpireLease: byService<UnderClaim & ForKey & { readonly policy: FailurePolicy; readonly unheard?: boolean }>(
    'running',
  ),
  ConfirmCancel: byWorker<ForKey>('running'),
  CancelRun: byWorker<ForKey & { readonly reason: string | null }>('running'),
  ExpireTask: byService('prepared', 'pending', 'held'),
  MissDeadline: byService('prepared', 'pending', 'held', 'running', 'undecided'),
  HoldTask: byOperator<{ readonly reason: string | null }>('pending', 'running'),
  CatchTask: byService<{ readonly heldBy: HoldRef }>('pending'),
  /** `approver`: the name by which the service knows the caller, if they may erase, which the release of an erasure needs. */
  ReleaseTask: byOperator<{ readonly approver?: string }>('held'),
  DecideRetry: byOperator<{ readonly heldBy: HoldRef | null }>('undecided'),
  DecideFail: byOperator('undecided'),
  RetryTask: byOperator<{
    readonly step: string | null;
    readonly override: boolean;
    readonly heldBy: HoldRef | null;
    /** Absent if the task may begin again at any step. */
    readonly policy?: FailurePolicy;
  }>('failed', 'cancelled'),
  SupersedeTask: byService<{ readonly bySuccessOf: string }>('undecided', 'failed'),
  ReprioritiseTask: byOperator<{ readonly priority: number }>(...AMENDABLE),
  RescheduleTask: byOperator<{ readonly dueAt: IsoTime | null }>(...AMENDABLE),
  /** `limits`: what a submission that replaces the payload brings with it. A limit that it does not name stays. */
  AmendPayload: byOperator<{ readonly payload: Json; readonly limits?: WaitingLimits }>(...AMENDABLE),
  AmendData: byOperator<{ readonly patch: JsonObject }>(...TASK_STATUSES.filter((status) => status !== 'deleted')),
  SignalTask: byOperator<{ readonly signal: string; readonly data: Json }>(...AMENDABLE, 'running'),
  CancelTask: byOperator<{ readonly reason: string | null; readonly onRunning: CancelRunning }>(
    'prepared',
    'pending',
    'held',
    'running',
    'undecided',
  ),
  ChangePrerequisites: byOperator<{
    readonly add: readonly Prerequisite[];
    /** The ids of tasks and batches that the task need no longer wait for. */
    readonly waive: readonly string[];
  }>(...AMENDABLE),
  StopRun: byService<{ readonly reason: string | null }>('running'),
  AbortTask: byOperator<{
    readonly reason: string | null;
    /** The aborted task or batch that this task waits for. Absent if the task is aborted for its own sake. */
    readonly prerequisite?: string;
  }>(...AMENDABLE, 'running'),
  DeleteTask: byOperator<{ readonly force: boolean }>(...AMENDABLE, 'running', 'succeeded', 'aborted', 'superseded'),
  /** For an undo. `undoes`: the operation, after which nothing else has changed the task. */
  RestoreTask: byService<{ readonly undoes: string; readonly before: Before }>(
    'pending',
    'held',
    'cancelled',
    'aborted',
    'deleted',
  ),
  /** For the erasure of a subject, by its id. */
  EraseTask: byService<{ readonly erasure: string }>(
    'failed',
    'succeeded',
    'cancelled',
    'aborted',
    'superseded',
    'deleted',
  ),
  OverruleTask: byOperator<
    ForKey & {
      readonly verdict: 'succeed' | 'fail' | 'requeue';
      readonly reason: string;
      /** Of a success: the result. Of a failure: the details of its error. */
      readonly result?: Json;
      /** How the queue classifies the failure. */
      readonly policy?: FailurePolicy;
    }
  >('running'),
} as const;

type Commands = typeof TASK_COMMANDS;

export type TaskCommandType = keyof Commands;

/** The commands that people and services may give for a task. */
export type OperatorCommandType = {
  [T in TaskCommandType]: Commands[T] extends Declaration<'operator', object> ? T : never;
}[TaskCommandType];

type DataOf<T extends TaskCommandType> =
  Commands[T] extends Declaration<'operator' | 'worker' | 'service', infer Data> ? Data : never;

export type TaskCommandOf<T extends TaskCommandType> = {
  [Type in T]: CommandInput & { readonly type: Type } & DataOf<Type>;
}[T];

export type TaskCommand = TaskCommandOf<TaskCommandType>;

export const isOperatorCommand = (type: TaskCommandType): type is OperatorCommandType =>
  TASK_COMMANDS[type].by === 'operator';

export const OPERATOR_COMMANDS = (Object.keys(TASK_COMMANDS) as TaskCommandType[]).filter(isOperatorCommand);

/**
 * The commands that a queue's policy may offer or omit: ways to submit a task, and all commands that people may give.
 */
export type OfferableCommandType = 'PrepareTask' | 'EnqueueTask' | OperatorCommandType;

export const OFFERABLE_COMMANDS: readonly OfferableCommandType[] = ['PrepareTask', 'EnqueueTask', ...OPERATOR_COMMANDS];
