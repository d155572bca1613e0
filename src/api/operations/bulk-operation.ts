import type { QueueDeletionOrder } from '../../application/queue-deletions/queue-deletion.js';
import type { BulkCommand, BulkOrder } from '../../application/bulk-operations/bulk-operation.js';
import { type Canary, TRIED_COMMANDS } from '../../application/bulk-operations/canary.js';
import { defined } from '../../domain/kernel/defined.js';
import type { Json } from '../../domain/kernel/json.js';
import type { RunAgainOrder } from '../../domain/task/run-again.js';
import { type BulkOperationRequest, CANARY_MS } from '../dto/bulk-operation.dto.js';
import type { RunAgainFields } from '../dto/run-again.dto.js';
import { fixedSearch } from './search.js';
import { InvalidInput } from '../input/invalid-input.js';

/** A request for a command for tasks. */
type TaskRequest = BulkOperationRequest & { readonly command: BulkCommand };

export const isForTasks = (request: BulkOperationRequest): request is TaskRequest => request.command !== 'deleteQueue';

/** The order to delete a queue. Throws `InvalidInput` if the request says anything about its tasks. */
export function queueDeletionOrder(request: BulkOperationRequest): QueueDeletionOrder {
  const { filter, tasks, all, priority, again, canary, perSecond, preview, asPreviewed, running = 'finish' } = request;
  if (preview === 'decided') throw invalid('/preview', 'Expected true or false with deleteQueue, but got decided');
  if (asPreviewed !== undefined) throw invalid('/asPreviewed', 'Expected no asPreviewed with the command deleteQueue');
  const { queue, ...others } = filter ?? {};
  const isQueueAlone = [...Object.values(others), tasks, all, priority].every((value) => value === undefined);
  if (again !== undefined) throw notAgain();
  if (canary !== undefined) throw notTried();
  if (perSecond !== undefined) throw invalid('/perSecond', 'Expected no rate with the command deleteQueue');
  if (queue === undefined || !isQueueAlone)
    throw invalid('/filter', 'Expected a filter with a queue alone, because deleteQueue is for all of its tasks');
  return { queue, running };
}

/** Where the request has its search. */
export const SEARCHED_IN = '/filter/q';

/** The order of a command for tasks, the times of its search fixed as of now. Throws `InvalidInput` unless the request says in one way which tasks it means. */
export function bulkOrder(request: TaskRequest, now: Date): BulkOrder {
  const { command, filter, tasks, all = false, priority, again, perSecond, running, asPreviewed } = request;
  if (running !== undefined) throw invalid('/running', 'Expected running with the command deleteQueue alone');
  const members = (Object.entries(filter ?? {}) as [string, string][]).map(
    ([name, value]) => [name, name === 'q' ? fixedSearch(value, now, SEARCHED_IN) : value] as const,
  );
  const isFiltered = members.length > 0;
  const ways = [isFiltered, tasks !== undefined && tasks.length > 0, all].filter((given) => given).length;
  if (ways !== 1) {
    throw invalid('/filter', `Expected one of a filter, tasks and all: true, but got ${ways} of them`);
  }
  if (command === 'runAgain' && request.reason === undefined && !request.preview)
    throw invalid('/reason', 'Expected a reason with the command runAgain, but got none');
  if (command === 'runAgain' && (request.preview === 'decided' || asPreviewed !== undefined))
    throw invalid(
      '/preview',
      'Expected a preview that only counts with runAgain, because it makes tasks and changes none',
    );
  if ((command === 'prioritise') !== (priority !== undefined)) {
    throw invalid('/priority', 'Expected a priority with the command prioritise alone');
  }
  if (command !== 'runAgain' && again !== undefined) throw notAgain();
  const canary = canaryOf(request);
  return {
    command,
    ...(isFiltered && { filter: Object.fromEntries(members) }),
    ...(tasks !== undefined && { tasks }),
    ...(priority !== undefined && { priority }),
    ...(again && { again: againOf(again) }),
    ...(canary && { canary }),
    ...(perSecond !== undefined && { perSecond }),
    ...(asPreviewed !== undefined && { asPreviewed }),
  };
}

function canaryOf({ command, canary }: TaskRequest): Canary | null {
  if (canary === undefined) return null;
  if (!TRIED_COMMANDS.some((one) => one === command)) throw notTried();
  const { first, goOnIf, withinMs = CANARY_MS } = canary;
  return { first, goOnIf, withinMs };
}

function againOf({ payload, fromStep, queue }: RunAgainFields): RunAgainOrder {
  return defined({ payload: payload as Json, fromStep, queue });
}

const notAgain = (): InvalidInput => invalid('/again', 'Expected again with the command runAgain alone');

const notTried = (): InvalidInput =>
  invalid(
    '/canary',
    `Expected a canary with the commands ${TRIED_COMMANDS.join(' and ')} alone, after which tasks run`,
  );

const invalid = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);
