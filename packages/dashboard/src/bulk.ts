import type { TaskFilter, TaskSelection, Waybill } from '@waybill/client';
import { service } from './service.js';

export interface BulkCommand {
  readonly command: Parameters<Waybill['operate']>[0];
  /** The name on the button. */
  readonly name: string;
  readonly about: string;
  /** What the number is that the command takes. */
  readonly number?: string;
}

/** Which tasks a command is for. */
export type Subject = { readonly tasks: readonly string[] } | { readonly filter: TaskFilter };

/** Each task is asked by itself; one that does not allow the command stays as it is, and the operation says so. */
export const BULK_COMMANDS: readonly BulkCommand[] = [
  { command: 'retry', name: 'Retry', about: 'The tasks wait for a worker again.' },
  { command: 'hold', name: 'Hold', about: 'The tasks do not run until somebody releases them.' },
  { command: 'release', name: 'Release', about: 'The tasks wait for a worker again.' },
  { command: 'prioritise', name: 'Prioritise', about: 'Tasks of a higher priority run first.', number: 'Priority' },
  { command: 'cancel', name: 'Cancel', about: 'The tasks end and can be retried later. Workers are told to stop.' },
  { command: 'abort', name: 'Abort', about: 'The tasks end at once and can never be retried.' },
  { command: 'delete', name: 'Delete', about: 'The tasks are deleted. Their histories stay.' },
];

interface BulkOptions {
  readonly reason?: string;
  readonly priority?: number;
}

/** A number for the preview, which needs one but does not use it. */
const ANY_PRIORITY = 0;

/** How many tasks the command would be given to now. */
export async function countMatching({ command, number }: BulkCommand, subject: Subject): Promise<number> {
  const priority = number === undefined ? undefined : ANY_PRIORITY;
  return (await service().operate(command, selectionOf(subject), { preview: true, priority })).count;
}

/** Begins the operation. Returns its id, which is that of a task. */
export async function startBulk({ command }: BulkCommand, subject: Subject, options: BulkOptions): Promise<string> {
  return (await service().operate(command, selectionOf(subject), options)).id!;
}

/** A list without a filter has all tasks. */
const selectionOf = (subject: Subject): TaskSelection =>
  'filter' in subject && Object.keys(subject.filter).length === 0 ? { all: true } : subject;
