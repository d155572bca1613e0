import type { components, operations } from './generated.js';
import type { OperationId } from './operations.js';

// The only place where generated names get the names that the packages use. The API's document explains each field. A
// writer may omit an optional property; a property that may be `null` is always present.
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

// queues

export type BackoffPolicy = Schemas['BackoffPolicy'];
export type RetryPolicy = Schemas['RetryPolicy'];
export type QueueLimits = Schemas['QueueLimits'];
export type QueuePolicy = Schemas['QueuePolicy'];
export type PolicyChanges = Schemas['PolicyChanges'];
export type StepPolicy = Schemas['StepPolicy'];
export type CommandOffer = Schemas['CommandOffer'];
export type QueueDefinition = Schemas['QueueDefinition'];
export type DefinitionReceipt = Schemas['DefinitionReceipt'];
export type QueueView = Schemas['QueueView'];
export type IntakeView = Schemas['IntakeView'];
export type PauseView = Schemas['PauseView'];
export type CronPattern = Schemas['CronPattern'];
export type QueueFailure = Schemas['QueueFailure'];
export type QueueList = Schemas['QueueList'];
export type DurationStats = Schemas['DurationStats'];
export type QueueStats = Schemas['QueueStats'];
export type QueueStatsDetails = Schemas['QueueStatsDetails'];
export type QueueHistory = Schemas['QueueHistory'];
export type QueueFigures = Schemas['QueueFigures'];
export type SpreadStats = Schemas['SpreadStats'];
export type RetentionView = Schemas['RetentionView'];
export type LeavingTasks = Schemas['LeavingTasks'];
export type QueueStatsList = Schemas['QueueStatsList'];
export type QueueStatus = QueueView['state'];

/**
 * `business`: the input is at fault. `application`: the handler failed. `transient`: the environment failed. `bug`: the
 * code is at fault. What the service shows may also be `lost`: the worker vanished.
 */
export type ErrorClass = NonNullable<ErrorReport['class']>;

/** Those, and what the service finds: `lost`: the worker vanished. `timeout`: an attempt took too long. `expired`: a task waited too long. */
export type FailureClass = TaskErrorView['class'];

// tasks

/** A command for many tasks. */
export type BulkOperationRequest = Schemas['BulkOperationRequest'];
export type StartedBulkOperation = Schemas['StartedBulkOperation'];

/** Mail, or a call of a webhook. */
export type DeliveryRequest = Schemas['DeliveryRequest'];

/** A task or a batch to wait for. */
export type Prerequisite = Schemas['Prerequisite'];
export type TaskSubmission = Schemas['TaskSubmission'];
export type QueuedSubmission = Schemas['QueuedSubmission'];
export type EnqueueMany = Schemas['EnqueueMany'];
export type EnqueueResult = Schemas['EnqueueResult'];
export type RefusedItem = Schemas['RefusedItem'];
export type EnqueueManyResult = Schemas['EnqueueManyResult'];
export type TaskErrorView = Schemas['TaskErrorView'];
export type TaskSummary = Schemas['TaskSummary'];
export type TaskDetails = Schemas['TaskDetails'];
export type TaskExplanation = Schemas['TaskExplanation'];
export type NotRunningReason = Schemas['NotRunningReason'];
export type TaskPage = Schemas['TaskPage'];
export type TaskStatus = TaskSummary['state'];

/** The outcome of one task of a batch. A refusal does not affect the other items. */
export type EnqueueOutcome = EnqueueResult | RefusedItem;

// batches

export type BatchDefinition = Schemas['BatchDefinition'];
export type BatchView = Schemas['BatchView'];
/** A batch with what is still open of it. */
export type BatchDetails = Schemas['BatchDetails'];
export type BatchPage = Schemas['BatchPage'];
export type BatchReport = Schemas['BatchReport'];
export type BatchReportPage = Schemas['BatchReportPage'];
export type BatchTally = Schemas['BatchTally'];
export type BatchStatus = BatchView['state'];

// the system

export type DrainRequest = Schemas['DrainRequest'];
export type ResumeRequest = Schemas['ResumeRequest'];
export type SystemView = Schemas['SystemView'];
export type LeaderView = Schemas['LeaderView'];
export type QuarantinedTask = Schemas['QuarantinedTask'];

// triggers

export type TriggerDefinition = Schemas['TriggerDefinition'];
export type TriggerView = Schemas['TriggerView'];
export type TriggerList = Schemas['TriggerList'];
export type TriggerReceipt = Schemas['TriggerReceipt'];
export type LeftOut = Schemas['LeftOut'];

// holds

export type HoldDefinition = Schemas['HoldDefinition'];
export type HoldView = Schemas['HoldView'];

// resources

export type ResourceDefinition = Schemas['ResourceDefinition'];
export type ResourceView = Schemas['ResourceView'];
export type MeasureResult = Schemas['MeasureResult'];

export type TaskGraph = Schemas['TaskGraph'];
export type GraphNode = Schemas['GraphNode'];
export type GraphEdge = Schemas['GraphEdge'];

// claims

export type ClaimRequest = Schemas['ClaimRequest'];
export type ClaimedTask = Schemas['ClaimedTask'];
export type ClaimResult = Schemas['ClaimResult'];
/** What is settled, and what is claimed for it. */
export type TurnRequest = Omit<Schemas['TurnRequest'], 'items'> & SettleMany;
export type TurnResult = Omit<Schemas['TurnResult'], 'results'> & { results: SettleResult[] };
export type ClaimRefusal = Schemas['ClaimRefusal'];
export type QueueConsumer = Schemas['QueueConsumer'];
export type ErrorReport = Schemas['ErrorReport'];
export type ProgressBar = Schemas['ProgressBar'];
export type JobItem = Schemas['JobItem'];
export type TaskProgressBar = Schemas['TaskProgressBar'];
export type Heartbeat = Schemas['Heartbeat'];
/** A lease, by the task and the token of the claim. */
export type LeaseRef = Pick<Heartbeat, 'taskId' | 'token'>;
export type SettleManyResult = Schemas['SettleManyResult'];
export type Settlement = Schemas['Settlement'];
export type ExtendMany = Schemas['ExtendMany'];
export type ExtendedLease = Schemas['ExtendedLease'];
export type LostLease = Schemas['LostLease'];
export type ExtendManyResult = Schemas['ExtendManyResult'];

export type StandingLease = Schemas['StandingLease'];

/** What is known of one lease of a batch. */
export type LeaseCheck = StandingLease | LostLease;

/** The outcome of one lease of a batch. */
export type ExtendResult = ExtendedLease | LostLease;

/** The outcome of one settlement of a batch. */
export type SettleResult = Settlement | RefusedItem;

/** The generator sets a verdict's `type` to the name of its schema. This replaces it with the actual value. */
type Verdict<Name extends keyof Schemas, Type extends string> = Omit<Schemas[Name], 'type'> & { type: Type };

export type SucceedVerdict = Verdict<'SucceedVerdict', 'succeed'>;
export type FailVerdict = Verdict<'FailVerdict', 'fail'>;
export type CompleteStepVerdict = Verdict<'CompleteStepVerdict', 'completeStep'>;
export type RecordVerdict = Verdict<'RecordVerdict', 'record'>;
export type ReportErrorVerdict = Verdict<'ReportErrorVerdict', 'reportError'>;
export type ReturnVerdict = Verdict<'ReturnVerdict', 'return'>;
export type ConfirmCancelVerdict = Verdict<'ConfirmCancelVerdict', 'confirmCancel'>;

export type CancelVerdict = Verdict<'CancelVerdict', 'cancel'>;

export type SettleVerdict =
  | SucceedVerdict
  | FailVerdict
  | CompleteStepVerdict
  | RecordVerdict
  | ReportErrorVerdict
  | ReturnVerdict
  | ConfirmCancelVerdict
  | CancelVerdict;

export type SettleItem = Omit<Schemas['SettleItem'], 'verdict'> & { verdict: SettleVerdict };
export type SettleMany = { items: SettleItem[] };

// transactions

export type Transaction = Schemas['Transaction'];
export type TransactionCommand = Schemas['TransactionCommand'];
export type TransactionResult = Schemas['TransactionResult'];
export type TransactionReceipt = Schemas['TransactionReceipt'];

// operations

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

// answers

export type Receipt = Schemas['Receipt'];
export type Problem = Schemas['Problem'];
export type ProblemError = Schemas['ProblemError'];

// history and operations

export type EventEnvelope = Schemas['EventEnvelope'];
export type EventView = Schemas['EventView'];
export type EventList = Schemas['EventList'];
export type WorkerView = Schemas['WorkerView'];
export type WorkerList = Schemas['WorkerList'];
export type ProjectionView = Schemas['ProjectionView'];
export type ApiKeyView = Schemas['ApiKeyView'];
export type ProjectionList = Schemas['ProjectionList'];
