/** The stream of one task. Task ids are UUIDs, so the name needs no escaping. */
export const taskStream = (taskId: string): string => `${TASK_CATEGORY}-${taskId}`;

export const TASK_CATEGORY = 'task';

/** The task id of a task stream's name. */
export const taskIdOf = (stream: string): string => stream.slice(TASK_CATEGORY.length + 1);
