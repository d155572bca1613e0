import type { RunAgainOrder } from '../../domain/task/run-again.js';
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

/** Makes a new task of each, which tells the task nothing. */
export interface RunAgain {
  readonly type: 'RunAgain';
  readonly order: RunAgainOrder;
}

/** What the operation does with each task. */
export const bulkCommand = (order: BulkOperation): TaskOperation | RunAgain =>
  order.command === 'runAgain' ? { type: 'RunAgain', order: order.again ?? {} } : COMMANDS[order.command](order);
