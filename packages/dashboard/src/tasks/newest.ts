import type { TaskSummary } from '@waybill/client';

/** The loaded tasks as they are now, as far as the newest answer tells. */
export function updated(loaded: readonly TaskSummary[], newest: readonly TaskSummary[]): TaskSummary[] {
  const byId = new Map(newest.map((task) => [task.id, task]));
  return loaded.map((task) => byId.get(task.id) ?? task);
}

/** How many of the newest are not among those that are shown. */
export function newcomers(ids: readonly string[], newest: readonly TaskSummary[]): number {
  const known = new Set(ids);
  return newest.filter(({ id }) => !known.has(id)).length;
}
