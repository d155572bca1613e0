import type { BulkOrder } from '../../application/bulk-operations/bulk-operation.js';
import type { BulkOperationRequest } from '../dto/bulk-operation.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The order that the request describes. Throws `InvalidInput` unless it says in one way which tasks it means. */
export function bulkOrder(request: BulkOperationRequest): BulkOrder {
  const { command, filter, tasks, all = false, priority } = request;
  const members = Object.entries(filter ?? {}) as [string, string][];
  const isFiltered = members.length > 0;
  const ways = [isFiltered, tasks !== undefined && tasks.length > 0, all].filter((given) => given).length;
  if (ways !== 1) {
    throw new InvalidInput([
      { pointer: '#/filter', detail: `Expected one of a filter, tasks and all: true, but got ${ways} of them` },
    ]);
  }
  if ((command === 'prioritise') !== (priority !== undefined)) {
    throw new InvalidInput([
      { pointer: '#/priority', detail: 'Expected a priority with the command prioritise alone' },
    ]);
  }
  return {
    command,
    ...(isFiltered && { filter: Object.fromEntries(members) }),
    ...(tasks !== undefined && { tasks }),
    ...(priority !== undefined && { priority }),
  };
}
