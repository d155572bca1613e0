import type { ModelTask, Needs } from './model-task.js';

const isDone = ([{ status }, ignore]: readonly [ModelTask, boolean]): boolean =>
  status === 'succeeded' || (ignore && status === 'aborted');

export const openNeeds = ({ needs, met }: ModelTask): readonly ModelTask[] =>
  [...needs].filter((one) => !isDone(one) && !met.has(one[0])).map(([task]) => task);

/** A wait that has ended stays ended. */
export function endWaits(tasks: readonly ModelTask[]): void {
  for (const { needs, met } of tasks) for (const one of needs) if (isDone(one)) met.add(one[0]);
}

/** A batch that is planned keeps its tasks. */
export const isStaged = ({ batch }: ModelTask): boolean => batch?.status === 'planning';

export const isBlocked = (task: ModelTask): boolean => isStaged(task) || openNeeds(task).length > 0;

/** Whether one of these can never be done. */
export const areDead = (needs: Needs): boolean =>
  [...needs].some(([{ status }, ignore]) => status === 'aborted' && !ignore);

/** The prerequisites that are not known to the task in this form. */
export const newTo = (task: ModelTask, needs: Needs): Needs =>
  new Map([...needs].filter(([one, ignore]) => task.needs.get(one) !== ignore));

/** Whether the task would wait for itself. */
export function closesCycle(task: ModelTask, needs: Needs): boolean {
  const seen = new Set(needs.keys());
  for (const one of seen) if (one !== task) for (const next of openNeeds(one)) seen.add(next);
  return seen.has(task);
}
