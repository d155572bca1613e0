/** Labels of workers: what a task needs of its worker, or what a worker offers. */
export type WorkerLabels = Readonly<Record<string, string | number | boolean>>;

const NONE: WorkerLabels = {};

/**
 * What a task needs of its worker: what it says itself, or else what its queue says of all tasks. Nothing if the queue does not look at needs.
 * The index has the same rule in `waybill_needed`.
 */
export const neededBy = (own: WorkerLabels | undefined, ofQueue: WorkerLabels | null | undefined): WorkerLabels =>
  ofQueue ? (own ?? ofQueue) : NONE;

/** Whether a worker offers each of these labels with the same value. */
export const meets = (offers: WorkerLabels = NONE, needs: WorkerLabels): boolean =>
  Object.entries(needs).every(([name, value]) => offers[name] === value);

export const needsNothing = (needs: WorkerLabels): boolean => Object.keys(needs).length === 0;
