import { TasksThen } from '../kernel/tasks-then.port.js';
import { DecidedTasks } from './decided-tasks.js';
import { CountTasksHandler } from './count-tasks.query.js';
import { GetTaskAsOfHandler } from './get-task-as-of.query.js';
import { GetTaskHistoryAsOfHandler, GetTaskHistoryHandler } from './get-task-history.query.js';
import { GetTaskHandler } from './get-task.query.js';
import { GetFollowedTaskHandler } from './get-followed-task.query.js';
import { GetTaskLogHandler } from './get-task-log.query.js';
import { GetTaskResultHandler } from './get-task-result.query.js';
import { ListResultsHandler } from './list-results.query.js';
import { ListTasksHandler } from './list-tasks.query.js';
import { ListTasksAsOfHandler } from './list-tasks-as-of.query.js';
import { GetOperationFiguresHandler } from './operation-figures.query.js';
import { GetOperationHandler, ListOperationsHandler } from './operations.query.js';
import { KnownValues } from './suggestions/known-values.js';
import { SuggestTermsHandler } from './suggestions/suggest-terms.query.js';
import { TallyQueueAsOfHandler } from './tally-queue-as-of.query.js';
import { PastTasks } from '../kernel/past-tasks.js';
import { FoldedTasks } from './folded-tasks.js';
import { PastBesides } from './past-besides.js';
import { PastSearch } from './search/past-search.js';
import { PastGate } from './past-gate.js';

export { CountTasks } from './count-tasks.query.js';
export { GetTaskAsOf } from './get-task-as-of.query.js';
export { GetTaskHistory, GetTaskHistoryAsOf, type EventView } from './get-task-history.query.js';
export { GetTask, type TaskView } from './get-task.query.js';
export { type FollowedTask, GetFollowedTask } from './get-followed-task.query.js';
export { GetTaskLog, type TaskLogPage } from './get-task-log.query.js';
export { GetTaskResult, type TaskResult } from './get-task-result.query.js';
export { ListResults, type PrerequisiteResult } from './list-results.query.js';
export { ListTasks, type TaskFilter, type TaskPage } from './list-tasks.query.js';
export { RefusedSearch } from './search/refused-search.js';
export { ListTasksAsOf, type PastTaskFilter } from './list-tasks-as-of.query.js';
export { GetOperation, ListOperations } from './operations.query.js';
export { SuggestTerms } from './suggestions/suggest-terms.query.js';
export { type QueueTally, TallyQueueAsOf } from './tally-queue-as-of.query.js';
export type { TaskSummary, WaitingFor } from './task-view.js';

export const TASK_QUERY_HANDLERS = [
  CountTasksHandler,
  DecidedTasks,
  GetTaskHandler,
  GetFollowedTaskHandler,
  GetTaskLogHandler,
  GetTaskResultHandler,
  ListResultsHandler,
  GetTaskAsOfHandler,
  GetTaskHistoryHandler,
  GetTaskHistoryAsOfHandler,
  ListTasksHandler,
  GetOperationFiguresHandler,
  GetOperationHandler,
  ListOperationsHandler,
  ListTasksAsOfHandler,
  KnownValues,
  SuggestTermsHandler,
  TallyQueueAsOfHandler,
  PastBesides,
  PastGate,
  PastSearch,
  { provide: PastTasks, useClass: FoldedTasks },
  { provide: TasksThen, useExisting: PastGate },
];
