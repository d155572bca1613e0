import { CarryOutConsequences } from './carry-out-consequences.js';
import { EndOverBatches } from './end-over-batches.js';
import { ExpireContents } from './expire-contents.js';
import { ExpireOverdueLeases } from './expire-overdue-leases.js';
import { FailPlansOfBatches } from './fail-plans-of-batches.js';
import { FireTriggers } from './fire-triggers.js';
import { KeepTimeLimitsOfTasks } from './keep-time-limits-of-tasks.js';
import { MoveDueQueues } from './move-due-queues.js';
import { ReadQuarantinedAgain } from './read-quarantined-again.js';
import { RecordEndOfDrain } from './record-end-of-drain.js';
import { RecordStaleResources } from './record-stale-resources.js';
import { ReportTasksRunAgain } from './report-tasks-run-again.js';
import { ResumeStoppedTasks } from './resume-stopped-tasks.js';
import { StopRunningTasks } from './stop-running-tasks.js';
import { TakeOverFromSilentConsumers } from './take-over-from-silent-consumers.js';
import { WatchAttendance } from './watch-attendance.js';

/** What the sweeper looks for in each round, in this order. Add new chores here. */
export const CHORES = [
  KeepTimeLimitsOfTasks,
  ExpireOverdueLeases,
  TakeOverFromSilentConsumers,
  MoveDueQueues,
  CarryOutConsequences,
  FailPlansOfBatches,
  EndOverBatches,
  ReportTasksRunAgain,
  FireTriggers,
  RecordStaleResources,
  StopRunningTasks,
  RecordEndOfDrain,
  ResumeStoppedTasks,
  ReadQuarantinedAgain,
  WatchAttendance,
  ExpireContents,
] as const;
