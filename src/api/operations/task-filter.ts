import type { TaskFilter } from '../../projections/tasks/tasks.queries.js';

/** A filter of tasks from its request, where a label is `name:value`. */
export function filterOf({ label, ...filter }: Omit<TaskFilter, 'label'> & { readonly label?: string }): TaskFilter {
  return { ...filter, ...(label !== undefined && { label: labelIn(label) }) };
}

/** The name ends at the first colon. */
function labelIn(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
