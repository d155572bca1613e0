import type { components, operations } from './generated.js';
import type { OperationId } from './operations.js';

// What the generated names lack. Each schema of the document is a type of its name (`schemas.ts`), unless one here takes its
// place. The API's document explains each field. A writer may omit an optional property; a property that may be `null` is always
// present.
export type * from './schemas.js';

type Schemas = components['schemas'];

/** An instant as RFC 3339 text in UTC. */
export type IsoTime = string;

/**
 * A position in the log, as a decimal number in text, because it outgrows the integers that JSON numbers represent
 * exactly.
 */
export type Position = string;

/** Any JSON value. The service refuses integers beyond 2^53: send them as text. */
export type Json = unknown;

export type Labels = Record<string, string>;

/** Labels of workers: what a task needs of its worker, or what a worker offers. */
export type WorkerLabels = Record<string, string | number | boolean>;

export type QueueStatus = Schemas['QueueView']['state'];

/**
 * `business`: the input is at fault. `application`: the handler failed. `transient`: the environment failed. `bug`: the
 * code is at fault. What the service shows may also be `lost`: the worker vanished.
 */
export type ErrorClass = NonNullable<Schemas['ErrorReport']['class']>;

/** Those, and what the service finds: `lost`: the worker vanished. `timeout`: an attempt took too long. `expired`: a task waited too long. */
export type FailureClass = Schemas['TaskErrorView']['class'];

export type TaskStatus = Schemas['TaskSummary']['state'];

/** The outcome of one task of a request with many. A refusal does not affect the others. */
export type EnqueueOutcome = Schemas['EnqueueResult'] | Schemas['RefusedItem'];

export type BatchStatus = Schemas['BatchView']['state'];

/** What is settled, and what is claimed for it. */
export type TurnRequest = Omit<Schemas['TurnRequest'], 'items'> & SettleMany;
export type TurnResult = Omit<Schemas['TurnResult'], 'results'> & { results: SettleResult[] };
/** A lease, by the task and the token of the claim. */
export type LeaseRef = Pick<Schemas['Heartbeat'], 'taskId' | 'token'>;

/** What is known of one lease of a batch. */
export type LeaseCheck = Schemas['StandingLease'] | Schemas['LostLease'];

/** The outcome of one lease of a batch. */
export type ExtendResult = Schemas['ExtendedLease'] | Schemas['LostLease'];

/** The outcome of one settlement of a batch. */
export type SettleResult = Schemas['Settlement'] | Schemas['RefusedItem'];

/** The generator sets a verdict's `type` to the name of its schema. This replaces it with the actual value. */
type Verdict<Name extends keyof Schemas, Type extends string> = Omit<Schemas[Name], 'type'> & { type: Type };

export type SucceedVerdict = Verdict<'SucceedVerdict', 'succeed'>;
export type FailVerdict = Verdict<'FailVerdict', 'fail'>;
export type CompleteStepVerdict = Verdict<'CompleteStepVerdict', 'completeStep'>;
export type RecordVerdict = Verdict<'RecordVerdict', 'record'>;
export type ReportErrorVerdict = Verdict<'ReportErrorVerdict', 'reportError'>;
export type ReturnVerdict = Verdict<'ReturnVerdict', 'return'>;
export type WaitVerdict = Verdict<'WaitVerdict', 'wait'>;
export type ConfirmCancelVerdict = Verdict<'ConfirmCancelVerdict', 'confirmCancel'>;

export type CancelVerdict = Verdict<'CancelVerdict', 'cancel'>;

export type SettleVerdict =
  | SucceedVerdict
  | FailVerdict
  | CompleteStepVerdict
  | RecordVerdict
  | ReportErrorVerdict
  | ReturnVerdict
  | WaitVerdict
  | ConfirmCancelVerdict
  | CancelVerdict;

export type SettleItem = Omit<Schemas['SettleItem'], 'verdict'> & { verdict: SettleVerdict };
export type SettleMany = { items: SettleItem[] };

/** The input of each operation: its body, or its query parameters if it has no body. */
export type Requests = { readonly [O in OperationId]: Request<operations[O]> };

/** The answer of each operation that is not refused; `never` for a stream of events. */
export type Answers = { readonly [O in OperationId]: JsonIn<operations[O]['responses'][200]> };

type JsonIn<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

type Request<T extends { parameters: { query?: unknown }; requestBody?: unknown }> = [
  NonNullable<T['requestBody']>,
] extends [never]
  ? NonNullable<T['parameters']['query']>
  : JsonIn<NonNullable<T['requestBody']>>;
