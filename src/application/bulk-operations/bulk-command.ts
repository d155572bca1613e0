import type { BulkCommand, BulkOperation } from './bulk-operation.js';
import type { TaskOperation } from '../tasks/task-operation.js';

const COMMANDS: Readonly<Record<Exclude<BulkCommand, 'runAgain'>, (order: BulkOperation) => TaskOperation>> = {
  retry: () => ({ type: 'RetryTask', step: null, override: false }),
  cancel: ({ reason = null }) => ({ type: 'CancelTask', reason }),
  abort: ({ reason = null }) => ({ type: 'AbortTask', reason }),
  hold: ({ reason = null }) => ({ type: 'HoldTask', reason }),
  release: () => ({ type: 'ReleaseTask' }),
  prioritise: ({ priority }) => ({ type: 'ReprioritiseTask', priority: priority! }),
  delete: () => ({ type: 'DeleteTask', force: false }),
};

/** What the operation tells each task; null if it runs the tasks again, which tells them nothing. */
export const bulkCommand = (order: BulkOperation): TaskOperation | null =>
  order.command === 'runAgain' ? null : COMMANDS[order.command](order);
