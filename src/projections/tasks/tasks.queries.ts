import { CountTasksHandler } from './count-tasks.query.js';
import { GetTaskHistoryHandler } from './get-task-history.query.js';
import { GetTaskHandler } from './get-task.query.js';
import { ListTasksHandler } from './list-tasks.query.js';

export { CountTasks } from './count-tasks.query.js';
export { GetTaskHistory, type EventView } from './get-task-history.query.js';
export { GetTask, type TaskView } from './get-task.query.js';
export { ListTasks, type TaskFilter, type TaskPage } from './list-tasks.query.js';
export type { TaskSummary, WaitingFor } from './task-view.js';

export const TASK_QUERY_HANDLERS = [CountTasksHandler, GetTaskHandler, GetTaskHistoryHandler, ListTasksHandler];
