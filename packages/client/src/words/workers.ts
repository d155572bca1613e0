import type { WorkerLabels, WorkerView } from '@waybill/contracts';

/** Labels of workers, as what a worker offers or a task needs: 'gpu = true, site = paris'. */
export const workerLabels = (labels: WorkerLabels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');

/** What a worker's handlers hold although its tasks are lost or cancelled; empty if nothing. */
export const stuckInWords = ({ stuck }: Pick<WorkerView, 'stuck'>): string =>
  stuck === 0 ? '' : `${stuck} ${stuck === 1 ? 'handler goes on with a task' : 'handlers go on with tasks'} it lost`;

/** The value of a label of workers as people type it: a number or a boolean if it reads as one, and text otherwise; in quotes it is text. */
export function workerLabelValue(typed: string): WorkerLabels[string] {
  try {
    const read: unknown = JSON.parse(typed);
    return typeof read === 'number' || typeof read === 'boolean' || typeof read === 'string' ? read : typed;
  } catch {
    return typed;
  }
}
