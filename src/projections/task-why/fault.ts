import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';

/** Leaves out the error's details, which may be long. */
export function faultOf({ data }: TaskEvent): Pick<TaskError, 'class' | 'message'> | null {
  if (!('error' in data) || data.error === undefined) return null;
  const { class: kind, message } = data.error;
  return { class: kind, message };
}
