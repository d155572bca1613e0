import { Module } from '@nestjs/common';
import { ClaimTasksHandler } from './claims/claim-tasks.handler.js';
import { ExpireLeasesHandler } from './claims/expire-leases.handler.js';
import { ExtendLeasesHandler } from './claims/extend-leases.handler.js';
import { LateReports } from './claims/late-reports.js';
import { LeaseExpiry } from './claims/lease-expiry.js';
import { SettleTasksHandler } from './claims/settle-tasks.handler.js';
import { DeciderRunner } from './kernel/decider-runner.js';
import { Idempotency } from './kernel/idempotency.js';
import { ChangePolicyHandler } from './queues/change-policy.handler.js';
import { CloseIntakeHandler } from './queues/close-intake.handler.js';
import { DefineQueueHandler } from './queues/define-queue.handler.js';
import { DeleteQueueHandler } from './queues/delete-queue.handler.js';
import { FinishQueueHandler } from './queues/finish-queue.handler.js';
import { OpenIntakeHandler } from './queues/open-intake.handler.js';
import { PauseQueueHandler } from './queues/pause-queue.handler.js';
import { QueueCommands } from './queues/queue-commands.js';
import { QueueDirectory } from './kernel/queue-directory.js';
import { ReopenQueueHandler } from './queues/reopen-queue.handler.js';
import { ResumeQueueHandler } from './queues/resume-queue.handler.js';
import { ApplyDueQueueTransitionsHandler } from './queues/apply-due-queue-transitions.handler.js';
import { AbortTaskHandler } from './tasks/abort-task.handler.js';
import { AmendPayloadHandler } from './tasks/amend-payload.handler.js';
import { CancelTaskHandler } from './tasks/cancel-task.handler.js';
import { DecideTaskHandler } from './tasks/decide-task.handler.js';
import { DeleteTaskHandler } from './tasks/delete-task.handler.js';
import { EnqueueTasksHandler } from './tasks/enqueue-tasks.handler.js';
import { HoldTaskHandler } from './tasks/hold-task.handler.js';
import { OverruleTaskHandler } from './tasks/overrule-task.handler.js';
import { ReleaseTaskHandler } from './tasks/release-task.handler.js';
import { ReprioritiseTaskHandler } from './tasks/reprioritise-task.handler.js';
import { RescheduleTaskHandler } from './tasks/reschedule-task.handler.js';
import { RetryTaskHandler } from './tasks/retry-task.handler.js';
import { SubmitTaskHandler } from './tasks/submit-task.handler.js';
import { SupersedeFailuresHandler } from './tasks/supersede-failures.handler.js';
import { TaskCommands } from './tasks/task-commands.js';
import { RunTransactionHandler } from './transactions/run-transaction.handler.js';

/** One handler per use case. */
export const COMMAND_HANDLERS = [
  DefineQueueHandler,
  ChangePolicyHandler,
  PauseQueueHandler,
  ResumeQueueHandler,
  ApplyDueQueueTransitionsHandler,
  CloseIntakeHandler,
  OpenIntakeHandler,
  FinishQueueHandler,
  ReopenQueueHandler,
  DeleteQueueHandler,
  EnqueueTasksHandler,
  SubmitTaskHandler,
  HoldTaskHandler,
  ReleaseTaskHandler,
  RetryTaskHandler,
  DecideTaskHandler,
  CancelTaskHandler,
  AbortTaskHandler,
  ReprioritiseTaskHandler,
  RescheduleTaskHandler,
  AmendPayloadHandler,
  DeleteTaskHandler,
  OverruleTaskHandler,
  SupersedeFailuresHandler,
  ClaimTasksHandler,
  SettleTasksHandler,
  ExtendLeasesHandler,
  ExpireLeasesHandler,
  RunTransactionHandler,
];

/**
 * The use cases, for the command bus. The composition provides the bus and, from a global module, the ports: `EventStore`,
 * `Clock`, `TaskClaimer`, `WorkerPresence`, `LeaseRepository`, `IdempotencyKeys`, `KeyFailures`, `Presets`.
 */
@Module({
  providers: [
    DeciderRunner,
    Idempotency,
    LateReports,
    LeaseExpiry,
    QueueDirectory,
    QueueCommands,
    TaskCommands,
    ...COMMAND_HANDLERS,
  ],
  exports: [DeciderRunner, QueueDirectory],
})
export class ApplicationModule {}
