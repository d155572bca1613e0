import type { BulkOperationRequest } from '@waybill/client';
import type { ButtonKind } from '../ui/button-kind.js';

export interface BulkCommand {
  readonly command: BulkOperationRequest['command'];
  readonly name: string;
  readonly about: string;
  readonly kind?: ButtonKind;
  /** Whether it needs a priority. */
  readonly hasPriority?: boolean;
}

/** What can be done to many tasks. Each is asked by itself: one that does not allow the command stays as it is. */
export const BULK_COMMANDS: readonly BulkCommand[] = [
  { command: 'retry', name: 'Retry', about: 'The tasks wait for a worker again.' },
  { command: 'hold', name: 'Hold', about: 'The tasks do not run until somebody releases them.' },
  { command: 'release', name: 'Release', about: 'The tasks wait for a worker again.' },
  { command: 'prioritise', name: 'Prioritise', about: 'Tasks of a higher priority run first.', hasPriority: true },
  { command: 'cancel', name: 'Cancel', about: 'The tasks end and can be retried later. Workers are told to stop.' },
  { command: 'abort', name: 'Abort', kind: 'danger', about: 'The tasks end at once and can never be retried.' },
  { command: 'delete', name: 'Delete', kind: 'danger', about: 'The tasks are deleted. Their histories stay.' },
];
