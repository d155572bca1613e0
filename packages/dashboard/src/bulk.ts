import type { TaskFilter } from '@waybill/client';
import { service } from './service.js';

export interface BulkCommand {
  readonly command: 'retry' | 'hold' | 'release' | 'prioritise' | 'cancel' | 'abort' | 'delete';
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

/** How many tasks the command would be given to now. */
export async function countMatching({ command }: BulkCommand, subject: Subject): Promise<number> {
  throw new Error(`not yet ${command} ${JSON.stringify(subject)} ${service.name}`);
}

/** Begins the operation. Returns its id, which is that of a task. */
export async function startBulk(
  { command }: BulkCommand,
  subject: Subject,
  options: { readonly reason?: string; readonly priority?: number },
): Promise<string> {
  throw new Error(`not yet ${command} ${JSON.stringify(subject)} ${JSON.stringify(options)}`);
}
