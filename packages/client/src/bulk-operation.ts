import type {
  BulkOperationRequest,
  OperationPage,
  OperationView,
  StartedBulkOperation,
  UndoRequest,
} from '@waybill/contracts';
import { isoTime } from './given-options.js';
import type { Caller, CommandOptions } from './caller.js';
import { everyItem, labelText, type OfService, pageQuery, type PageOptions, type TaskFilter } from './task-list.js';

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
      'reason' | 'priority' | 'preview' | 'asPreviewed' | 'running' | 'again' | 'canary' | 'perSecond'
    > {}

export function startBulkOperation(
  caller: Caller,
  command: BulkOperationRequest['command'],
  selection: TaskSelection,
  options: BulkOptions,
): Promise<StartedBulkOperation> {
  const { reason, priority, preview, asPreviewed, running, again, canary, perSecond } = options;
  const how = { reason, priority, preview, asPreviewed, running, again, canary, perSecond };
  const body = { command, ...inBody(selection), ...how };
  return caller.call('startBulkOperation', { body }, options);
}

export interface UndoOptions extends CommandOptions, Pick<UndoRequest, 'reason' | 'preview'> {}

export function undoOperation(caller: Caller, id: string, options: UndoOptions): Promise<StartedBulkOperation> {
  const { reason, preview } = options;
  return caller.call('undoBulkOperation', { path: { id }, body: { reason, preview } }, options);
}

function inBody(selection: TaskSelection): object {
  if (!('filter' in selection)) return selection;
  const { label, ...filter } = selection.filter;
  return { ...selection, filter: { ...filter, ...(label && { label: labelText(label) }) } };
}

/** Which operations to list. */
export interface OperationListOptions extends PageOptions {
  /** Who ordered them. */
  readonly actor?: string;
  readonly command?: BulkOperationRequest['command'] | 'undo';
  /** A paused operation is `held`. */
  readonly state?: OperationView['state'];
  /** When they were ordered. */
  readonly since?: Date | string;
  readonly until?: Date | string;
}

export function operationsOf(caller: Caller, options: OperationListOptions): AsyncGenerator<OperationView> {
  const { actor, command, state } = options;
  const range = { since: isoTime('since', options.since), until: isoTime('until', options.until) };
  const page = (cursor?: string): Promise<OperationPage> => {
    const query = { ...pageQuery({ ...options, cursor }), actor, command, state, ...range };
    return caller.call('listBulkOperations', { query }, options);
  };
  return everyItem(page, options.cursor);
}
