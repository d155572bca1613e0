import type { IsoTime, Json } from '../kernel/json.js';
import type { CancelRunning, FailurePolicy } from './failure-policy.js';
import type { HoldRef, Submission, TaskError, TaskStatus } from './task.events.js';

/** Every command says when it was given (database clock) and by whom. */
interface Given {
  readonly now: IsoTime;
  readonly by: string;
}

/** A worker's command proves its claim by the fencing token. */
interface UnderClaim {
  readonly token: string;
}

declare const DATA: unique symbol;

/** One type of command: all that is said of it in one place, but for its rule. */
interface Declaration<By extends 'operator' | 'worker' | 'service', Data extends object> {
  readonly by: By;
  /** The statuses of a task on which it can record something. */
  readonly on: readonly TaskStatus[];
  /** Not there: the type remembers the data's. */
  readonly [DATA]?: Data;
}

/** Given by people, and by programs in their place. A queue may not offer all of them. */
const byOperator = <Data extends object = object>(...on: readonly TaskStatus[]): Declaration<'operator', Data> => ({
  by: 'operator',
  on,
});

/** Given by whoever has the task. */
const byWorker = <Data extends object = object>(
  ...on: readonly TaskStatus[]
): Declaration<'worker', Data & UnderClaim> => ({ by: 'worker', on });

/** Given by the service itself, on behalf of whoever asked for something else. */
const byService = <Data extends object = object>(...on: readonly TaskStatus[]): Declaration<'service', Data> => ({
  by: 'service',
  on,
});

/** A task that goes back in line may meet another one of its key there (S0-42). */
interface ForKey {
  /** The task that already waits for the key: then this one is not given back. */
  readonly conflictingTaskId: string | null;
}

const AMENDABLE = ['prepared', 'pending', 'held', 'undecided', 'failed', 'cancelled'] as const;

/** In the order in which refusals and explanations list them. */
export const TASK_COMMANDS = {
  PrepareTask: byService<{ readonly submission: Submission }>(),
  EnqueueTask: byService<{ readonly submission: Submission; readonly heldBy: HoldRef | null }>(),
  RejectEnqueue: byService<{ readonly submission: Submission; readonly error: TaskError }>(),
  SubmitTask: byOperator<{ readonly heldBy: HoldRef | null }>('prepared'),
  ClaimTask: byService<{
    readonly token: string;
    readonly claimId: string;
    readonly worker: string;
    readonly server: string;
    readonly leaseMs: number;
    readonly waitedMs: number;
  }>('pending'),
  CompleteStep: byWorker<
    Partial<ForKey> & { readonly step: string; readonly then: 'continue' | 'offer'; readonly result: Json }
  >('running'),
  ReportError: byWorker<{ readonly error: TaskError }>('running'),
  SucceedTask: byWorker<{ readonly result: Json; readonly noChange: boolean }>('running'),
  FailTask: byWorker<
    ForKey & {
      readonly error: TaskError;
      readonly final: boolean;
      readonly policy: FailurePolicy;
      /** The worker's wish for the delay of an automatic retry (`retryLater`); null leaves it to the policy. */
      readonly retryAfterMs: number | null;
      /** In [0, 1), for the jitter. */
      readonly random: number;
    }
  >('running'),
  ReturnTask: byWorker<ForKey>('running'),
  ExpireLease: byService<UnderClaim & ForKey & { readonly policy: FailurePolicy }>('running'),
  ConfirmCancel: byWorker<ForKey>('running'),
  HoldTask: byOperator<{ readonly reason: string | null }>('pending', 'running'),
  ReleaseTask: byOperator('held'),
  DecideRetry: byOperator<{ readonly heldBy: HoldRef | null }>('undecided'),
  DecideFail: byOperator('undecided'),
  RetryTask: byOperator<{ readonly step: string | null; readonly override: boolean; readonly heldBy: HoldRef | null }>(
    'failed',
    'cancelled',
  ),
  SupersedeTask: byService<{ readonly bySuccessOf: string }>('undecided', 'failed'),
  ReprioritiseTask: byOperator<{ readonly priority: number }>(...AMENDABLE),
  RescheduleTask: byOperator<{ readonly dueAt: IsoTime | null }>(...AMENDABLE),
  AmendPayload: byOperator<{ readonly payload: Json }>(...AMENDABLE),
  CancelTask: byOperator<{ readonly reason: string | null; readonly onRunning: CancelRunning }>(
    'prepared',
    'pending',
    'held',
    'running',
    'undecided',
  ),
  AbortTask: byOperator<{ readonly reason: string | null }>(...AMENDABLE, 'running'),
  DeleteTask: byOperator<{ readonly force: boolean }>(...AMENDABLE, 'running', 'succeeded', 'aborted', 'superseded'),
  OverruleTask: byOperator<ForKey & { readonly verdict: 'succeed' | 'fail' | 'requeue'; readonly reason: string }>(
    'running',
  ),
} as const;

type Commands = typeof TASK_COMMANDS;

export type TaskCommandType = keyof Commands;

/** What people and services may ask of a task. */
export type OperatorCommandType = {
  [T in TaskCommandType]: Commands[T] extends Declaration<'operator', object> ? T : never;
}[TaskCommandType];

type DataOf<T extends TaskCommandType> =
  Commands[T] extends Declaration<'operator' | 'worker' | 'service', infer Data> ? Data : never;

export type TaskCommandOf<T extends TaskCommandType> = {
  [Type in T]: Given & { readonly type: Type } & DataOf<Type>;
}[T];

export type TaskCommand = TaskCommandOf<TaskCommandType>;

export const isOperatorCommand = (type: TaskCommandType): type is OperatorCommandType =>
  TASK_COMMANDS[type].by === 'operator';

export const OPERATOR_COMMANDS = (Object.keys(TASK_COMMANDS) as TaskCommandType[]).filter(isOperatorCommand);

/** What a queue may offer or not: ways to hand a task in, and all that people may ask of one. */
export type OfferableCommandType = 'PrepareTask' | 'EnqueueTask' | OperatorCommandType;

export const OFFERABLE_COMMANDS: readonly OfferableCommandType[] = ['PrepareTask', 'EnqueueTask', ...OPERATOR_COMMANDS];
