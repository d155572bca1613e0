import type { BulkOperationRequest, StartedBulkOperation } from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import { labelText, type OfService, type TaskFilter } from './task-list.js';

/** Which tasks: those that match, up to 500 by their ids, or all except those of the service's own queues. */
export type TaskSelection =
  | { readonly filter: Omit<TaskFilter, keyof OfService> }
  | { readonly tasks: readonly string[] }
  | { readonly all: true };

export interface BulkOptions
  extends
    CommandOptions,
    Pick<
      BulkOperationRequest,
      'reason' | 'priority' | 'preview' | 'asPreviewed' | 'running' | 'canary' | 'perSecond'
    > {}

export function startBulkOperation(
  caller: Caller,
  command: BulkOperationRequest['command'],
  selection: TaskSelection,
  options: BulkOptions,
): Promise<StartedBulkOperation> {
  const { reason, priority, preview, asPreviewed, running, canary, perSecond } = options;
  const body = { command, ...inBody(selection), reason, priority, preview, asPreviewed, running, canary, perSecond };
  return caller.call('startBulkOperation', { body }, options);
}

function inBody(selection: TaskSelection): object {
  if (!('filter' in selection)) return selection;
  const { label, ...filter } = selection.filter;
  return { ...selection, filter: { ...filter, ...(label && { label: labelText(label) }) } };
}
