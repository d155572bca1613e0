export type * from '@waybill/contracts';
export { OPERATIONS } from '@waybill/contracts';
export type { ActivityOptions } from './activity.js';
export type { ChangesOptions, ChangesSumOptions } from './changes.js';
export type { OverlapOptions } from './overlaps.js';
export { BatchFailed, type BatchHandle } from './batch-handle.js';
export { PlannedTask, type BatchOptions, type BatchPlan, type PlannedNode, type PlannedOptions } from './batch-plan.js';
export type { ExportOptions, SealedLog, SealOptions } from './sealed-log.js';
export type { System } from './system.js';
export type { FailureGroupFilter, Failures, ResolveOptions } from './failures.js';
export type { HoldOptions, Holds } from './holds.js';
export type { Resources } from './resources.js';
export type { Views } from './views.js';
export type { Gauge, WatchOptions } from './worker/measures.js';
export type { FireOptions, ReplayRange, TriggerHandle } from './trigger-handle.js';
export type { ErasureOptions, ErasureSubject } from './erasure.js';
export type { EvidenceOptions, EvidenceSubject } from './evidence.js';
export type { BulkOptions, OperationListOptions, TaskSelection, UndoOptions } from './bulk-operation.js';
export type { DeliveryOptions, NewDelivery } from './delivery.js';
export type { CallOptions, CommandOptions, ReadOptions, ReasonOptions } from './caller.js';
export { systemClock, type Clock } from './clock.js';
export type { ChangeFeedOptions, EventOptions } from './event-feed.js';
export type { HistoryFilter, HistoryOptions } from './history.js';
export type { RunState } from './functions/run-state.js';
export type {
  ApplyOptions,
  BackgroundRun,
  FunctionOptions,
  FunctionsOf,
  TaskFunction,
  TaskFunctions,
} from './functions/task-functions.js';
export { assertKnown, type OptionNames } from './given-options.js';
export { HttpTransport, type HttpTransportOptions } from './http-transport.js';
export { jsonCopy } from './json.js';
export { WaybillError, WaybillUnavailable, type LostRequest } from './problems.js';
export type { ChangePolicyOptions, DefineOptions, PauseOptions } from './queue-commands.js';
export type { FiguresOptions, QueueHandle, RetentionDays, WaitsOptions } from './queue-handle.js';
export type { RetryRules } from './retry.js';
export type { EnqueueOptions, NewTask } from './submissions.js';
export type { DeleteOptions, OverruleOptions, RetryOptions } from './task-commands.js';
export type {
  PastBatch,
  PastFiguresOptions,
  PastMoment,
  PastQueue,
  PastSystem,
  PastTask,
  PastTaskFilter,
  PastTrigger,
  PastWaybill,
} from './past.js';
export type { PastHolds } from './past-hold-list.js';
export type { PastPageOptions } from './past-page.js';
export type { PastResources } from './past-resource-list.js';
export type { PastHistoryOptions, PastThings } from './past-things.js';
export type { FollowTokenOptions, GraphOptions, ProofOptions, TaskHandle } from './task-handle.js';
export { PrerequisiteResults } from './prerequisite-results.js';
export { type ResultOptions, TaskFailed, TaskNotEnded } from './task-result.js';
export { type DrainedOptions, NotDrained } from './drained.js';
export type { OfService, PageOptions, TaskFilter, TaskList } from './task-list.js';
export type { AttemptOutcome, AttemptTelemetry, SentTasks, Telemetry } from './telemetry.js';
export type { SettledInTransaction, Transaction, TransactionQueue, TransactionTask } from './transaction.js';
export {
  TransportFailure,
  type Answer,
  type Input,
  type QueryValue,
  type Transport,
  type TransportOptions,
} from './transport.js';
export { Previewed, PreviewTransport } from './preview.js';
export type { BatchFilter } from './batch-filter.js';
export { createWaybill, type Waybill, type WaybillOptions } from './waybill.js';
export type { Handler } from './worker/attempt.js';
export type { LogFields, Logger, WorkerEventMap, StopReport } from './worker/worker-events.js';
export type { LogOptions } from './worker/log-lines.js';
export type { Progress } from './worker/progress-bars.js';
export { asChild, type ChildOptions, inChild, inProcess } from './worker/child.js';
export { type Item } from './worker/item.js';
export { Stopped, type Run, type StepOptions, type StepRecord, type StopReason } from './worker/run.js';
export { type Duration, type WaitOptions, WaitTimedOut } from './worker/waits.js';
export { steps, type StepHandlers } from './worker/steps.js';
export { type Task, type TaskData } from './worker/task.js';
export { ERROR_CLASSES, Verdict, type FailOptions } from './worker/verdicts.js';
export type { Planner, TasksOfBatch } from './worker/planner.js';
export type { StopSignal, Worker, WorkerOptions } from './worker/worker.js';
export { derivedId } from './derived-id.js';
