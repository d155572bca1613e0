import type { QueueDeletionOrder } from '../../application/queue-deletions/queue-deletion.js';
import type { BulkCommand, BulkOrder } from '../../application/bulk-operations/bulk-operation.js';
import type { BulkOperationRequest } from '../dto/bulk-operation.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

/** A request for a command for tasks. */
type TaskRequest = BulkOperationRequest & { readonly command: BulkCommand };

export const isForTasks = (request: BulkOperationRequest): request is TaskRequest => request.command !== 'deleteQueue';

/** The order to delete a queue. Throws `InvalidInput` if the request says anything about its tasks. */
export function queueDeletionOrder(request: BulkOperationRequest): QueueDeletionOrder {
  const { filter, tasks, all, priority, running = 'finish' } = request;
  const { queue, ...others } = filter ?? {};
  const isQueueAlone = Object.values(others).every((value) => value === undefined);
  if (queue === undefined || !isQueueAlone || tasks !== undefined || all !== undefined || priority !== undefined)
    throw invalid('/filter', 'Expected a filter with a queue alone, because deleteQueue is for all of its tasks');
  return { queue, running };
}

/** The order of a command for tasks. Throws `InvalidInput` unless the request says in one way which tasks it means. */
export function bulkOrder(request: TaskRequest): BulkOrder {
  const { command, filter, tasks, all = false, priority, running } = request;
  if (running !== undefined) throw invalid('/running', 'Expected running with the command deleteQueue alone');
  const members = Object.entries(filter ?? {}) as [string, string][];
  const isFiltered = members.length > 0;
  const ways = [isFiltered, tasks !== undefined && tasks.length > 0, all].filter((given) => given).length;
  if (ways !== 1) {
    throw invalid('/filter', `Expected one of a filter, tasks and all: true, but got ${ways} of them`);
  }
  if ((command === 'prioritise') !== (priority !== undefined)) {
    throw invalid('/priority', 'Expected a priority with the command prioritise alone');
  }
  return {
    command,
    ...(isFiltered && { filter: Object.fromEntries(members) }),
    ...(tasks !== undefined && { tasks }),
    ...(priority !== undefined && { priority }),
  };
}

const invalid = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);
