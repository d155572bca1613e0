import { ClaimedPayloads } from './claims/claimed-payloads.js';
import { OutsidePayloads } from './kernel/outside-payloads.js';
import { PayloadFigures } from './kernel/payload-figures.js';
import { Module } from '@nestjs/common';
import { TaskQueues } from './history/task-queues.js';
import { RecordAttendanceHandler } from './queues/record-attendance.handler.js';
import { OperationOrders } from './service-tasks/operation-orders.js';
import { PreviewOperationHandler } from './bulk-operations/preview-operation.handler.js';
import { PreviewCommandHandler } from './previews/preview-command.handler.js';
import { StartBulkOperationHandler } from './bulk-operations/start-bulk-operation.handler.js';
import { StartQueueDeletionHandler } from './queue-deletions/start-queue-deletion.handler.js';
import { BuildsAtWork } from './claims/builds-at-work.js';
import { ClaimService } from './claims/claim-service.js';
import { JobItems } from './claims/job-items.js';
import { TaskClaimer } from './claims/task-claimer.js';
import { ClaimTasksHandler } from './claims/claim-tasks.handler.js';
import { ExpireLeasesHandler } from './claims/expire-leases.handler.js';
import { TakeFromSilentConsumersHandler } from './claims/take-from-silent-consumers.handler.js';
import { CheckLeasesHandler } from './claims/check-leases.handler.js';
import { ExtendLeasesHandler } from './claims/extend-leases.handler.js';
import { LateReports } from './claims/late-reports.js';
import { LeaseExpiry } from './claims/lease-expiry.js';
import { SettleTasksHandler } from './claims/settle-tasks.handler.js';
import { StartTaskHandler } from './claims/start-task.handler.js';
import { HoldPlacer } from './claims/hold-placer.js';
import { LiftHoldHandler, PlaceHoldHandler } from './holds/operate-hold.handler.js';
import { DeciderRunner } from './kernel/decider-runner.js';
import { Idempotency } from './kernel/idempotency.js';
import { StreamCommands } from './kernel/stream-commands.js';
import { ChangePolicyHandler } from './queues/change-policy.handler.js';
import { DefineQueueHandler } from './queues/define-queue.handler.js';
import { OperateQueueHandler } from './queues/operate-queue.handler.js';
import { QueueCommands } from './queues/queue-commands.js';
import { QueueDirectory } from './kernel/queue-directory.js';
import { ApplyDueQueueTransitionsHandler } from './queues/apply-due-queue-transitions.handler.js';
import { BatchDirectory } from './kernel/batch-directory.js';
import { BatchOffers } from './batches/batch-offers.js';
import { ReleaseBatchHandler } from './batches/release-batch.handler.js';
import { RerunBatchHandler } from './batches/rerun-batch.handler.js';
import { BatchReports } from './batches/batch-reports.js';
import { CreateBatchHandler } from './batches/create-batch.handler.js';
import { CopyFailedTasksHandler } from './batches/copy-failed-tasks.handler.js';
import { FailPlansHandler } from './batches/fail-plans.handler.js';
import { ReportTasksHandler } from './batches/report-tasks.handler.js';
import { EndBatchesHandler } from './batches/end-batches.handler.js';
import { OperateBatchHandler } from './batches/operate-batch.handler.js';
import { StartDeliveryHandler } from './deliveries/start-delivery.handler.js';
import { OperateFailureGroupHandler } from './failure-groups/operate-failure-group.handler.js';
import { ReturnFailureGroupHandler } from './failure-groups/return-failure-group.handler.js';
import { MeasureResourceHandler } from './resources/measure-resource.handler.js';
import { DefineResourceHandler, DeleteResourceHandler } from './resources/operate-resource.handler.js';
import { RecordStalenessHandler } from './resources/record-staleness.handler.js';
import { DeleteViewHandler, SaveViewHandler } from './views/operate-view.handler.js';
import { AcceptLossHandler, RetireKeyHandler } from './notary/operate-log.handler.js';
import { ServiceTasks } from './service-tasks/service-tasks.js';
import { DrainSystemHandler, ResumeSystemHandler } from './system/drain-system.handler.js';
import { ResumeStoppedHandler } from './system/resume-stopped.handler.js';
import { QuiesceSystemHandler } from './system/quiesce-system.handler.js';
import { StopRunsHandler } from './system/stop-runs.handler.js';
import { AbortDependantsHandler } from './tasks/abort-dependants.handler.js';
import { Deduplications } from './tasks/deduplications.js';
import { DeleteMembersHandler } from './tasks/delete-members.handler.js';
import { EnqueueTasksHandler } from './tasks/enqueue-tasks.handler.js';
import { SupersedeFailuresHandler } from './tasks/supersede-failures.handler.js';
import { OperateTaskHandler } from './tasks/operate-task.handler.js';
import { RunManyAgainHandler } from './tasks/run-many-again.handler.js';
import { RunTaskAgainHandler } from './tasks/run-task-again.handler.js';
import { RunTasksAgainHandler } from './tasks/run-tasks-again.handler.js';
import { RecordErasedHandler } from './erasures/record-erased.handler.js';
import { OrderExpiryHandler } from './erasures/order-expiry.handler.js';
import { StartErasureHandler } from './erasures/start-erasure.handler.js';
import { StartRebuildHandler } from './rebuilds/start-rebuild.handler.js';
import { OperateTasksHandler } from './tasks/operate-tasks.handler.js';
import { PreviewUndoHandler } from './bulk-operations/preview-undo.handler.js';
import { StartUndoHandler } from './bulk-operations/start-undo.handler.js';
import { UndoCommands } from './bulk-operations/undo-commands.js';
import { UndoOnTasksHandler } from './bulk-operations/undo-on-tasks.handler.js';
import { RunTransactionHandler } from './transactions/run-transaction.handler.js';
import { FireDueTriggersHandler } from './triggers/fire-due-triggers.handler.js';
import { FireTriggerHandler } from './triggers/fire-trigger.handler.js';
import { FirePastEventsHandler } from './triggers/fire-past-events.handler.js';
import { RecordedFirings } from './triggers/recorded-firings.js';
import { ReplayTriggerHandler } from './triggers/replay-trigger.handler.js';
import { TakeDeliveryHandler } from './triggers/take-delivery.handler.js';
import { EventFiring } from './triggers/event-firing.js';
import { EventTriggers } from './triggers/event-triggers.js';
import { ChangesFiring } from './triggers/changes-firing.js';
import { OccurrenceFiring } from './triggers/occurrence-firing.js';
import { OperateTriggerHandler } from './triggers/operate-trigger.handler.js';
import { QueueFiring } from './triggers/queue-firing.js';
import { KeepTimeLimitsHandler } from './tasks/keep-time-limits.handler.js';

/** One handler per use case. */
export const COMMAND_HANDLERS = [
  DefineQueueHandler,
  ChangePolicyHandler,
  OperateQueueHandler,
  ApplyDueQueueTransitionsHandler,
  EnqueueTasksHandler,
  OperateTaskHandler,
  OperateTasksHandler,
  PreviewUndoHandler,
  StartUndoHandler,
  UndoOnTasksHandler,
  RunManyAgainHandler,
  RunTaskAgainHandler,
  RunTasksAgainHandler,
  SupersedeFailuresHandler,
  CopyFailedTasksHandler,
  AbortDependantsHandler,
  DeleteMembersHandler,
  CreateBatchHandler,
  ReleaseBatchHandler,
  RerunBatchHandler,
  OperateBatchHandler,
  EndBatchesHandler,
  ReportTasksHandler,
  FailPlansHandler,
  ClaimTasksHandler,
  SettleTasksHandler,
  CheckLeasesHandler,
  ExtendLeasesHandler,
  StartTaskHandler,
  ExpireLeasesHandler,
  TakeFromSilentConsumersHandler,
  KeepTimeLimitsHandler,
  RunTransactionHandler,
  StartBulkOperationHandler,
  PreviewOperationHandler,
  PreviewCommandHandler,
  StartQueueDeletionHandler,
  StartDeliveryHandler,
  OperateTriggerHandler,
  FireTriggerHandler,
  FirePastEventsHandler,
  ReplayTriggerHandler,
  TakeDeliveryHandler,
  OrderExpiryHandler,
  StartErasureHandler,
  RecordErasedHandler,
  StartRebuildHandler,
  FireDueTriggersHandler,
  DrainSystemHandler,
  ResumeSystemHandler,
  QuiesceSystemHandler,
  StopRunsHandler,
  AcceptLossHandler,
  RetireKeyHandler,
  ResumeStoppedHandler,
  SaveViewHandler,
  DeleteViewHandler,
  PlaceHoldHandler,
  LiftHoldHandler,
  DefineResourceHandler,
  DeleteResourceHandler,
  MeasureResourceHandler,
  OperateFailureGroupHandler,
  ReturnFailureGroupHandler,
  RecordStalenessHandler,
  RecordAttendanceHandler,
];

/**
 * The use cases, as handlers for the command bus. The composition provides the bus and, from a global module, the
 * ports: `EventStore`, `Clock`, `ClaimSource`, `WakeUps`, `WorkerPresence`, `LeaseRepository`, `IdempotencyKeys`,
 * `KeyFailures`, `Presets`, `BatchMembers`, `Quarantine`, `ResourceStates`, `TriggerStates`, `Turns`,
 * `IndexLook`, `PayloadStore`.
 */
@Module({
  providers: [
    BatchDirectory,
    RecordedFirings,
    BatchOffers,
    BatchReports,
    BuildsAtWork,
    ClaimedPayloads,
    ClaimService,
    JobItems,
    DeciderRunner,
    Deduplications,
    Idempotency,
    LateReports,
    LeaseExpiry,
    OperationOrders,
    OutsidePayloads,
    PayloadFigures,
    QueueDirectory,
    QueueCommands,
    ServiceTasks,
    StreamCommands,
    HoldPlacer,
    TaskClaimer,
    TaskQueues,
    EventFiring,
    EventTriggers,
    ChangesFiring,
    OccurrenceFiring,
    QueueFiring,
    UndoCommands,
    ...COMMAND_HANDLERS,
  ],
  exports: [
    DeciderRunner,
    Deduplications,
    EventFiring,
    EventTriggers,
    OutsidePayloads,
    PayloadFigures,
    QueueDirectory,
    TaskClaimer,
  ],
})
export class ApplicationModule {}
