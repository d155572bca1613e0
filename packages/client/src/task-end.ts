import type { EventView } from '@waybill/contracts';

const ENDS: ReadonlySet<string> = new Set([
  'TaskEnqueueRejected',
  'TaskFailed',
  'TaskSucceeded',
  'TaskCancelled',
  'TaskAborted',
  'TaskSuperseded',
  'TaskDeleted',
]);

/** Whether the task has ended with this event. */
export const ends = ({ type, data }: EventView): boolean =>
  ENDS.has(type) || (type === 'TaskOverruled' && data.verdict !== 'requeue');

/** Whether the task of this history has ended, and was not put back to work since. */
export const isOver = (history: readonly EventView[]): boolean =>
  history.findLastIndex(ends) > history.findLastIndex(({ type }) => type === 'TaskRetried');
