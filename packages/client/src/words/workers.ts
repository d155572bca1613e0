import type { WorkerView } from '@waybill/contracts';

/** What a worker's handlers hold although its tasks are lost or cancelled; empty if nothing. */
export const stuckInWords = ({ stuck }: Pick<WorkerView, 'stuck'>): string =>
  stuck === 0 ? '' : `${stuck} ${stuck === 1 ? 'handler goes on with a task' : 'handlers go on with tasks'} it lost`;
