import { plural } from './numbers.js';

/** Tasks, with the service's own among them apart: `2 tasks, and 1 task of the service itself`. An earlier service does not tell them apart. */
export function tasksOf(all: number, internal = 0): string {
  if (internal === 0) return plural(all, 'task');
  const own = `${plural(internal, 'task')} of the service itself`;
  return internal === all ? own : `${plural(all - internal, 'task')}, and ${own}`;
}
