import type { ErasureRequest, StartedErasure } from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import { labelText, type TaskFilter } from './task-list.js';

/**
 * Whose tasks: those with a label, those of a queue's key, one, or those of a queue that ended before a time, or so long ago
 * (`90d`), and are not erased yet.
 */
export type ErasureSubject =
  | { readonly label: NonNullable<TaskFilter['label']> }
  | { readonly queue: string; readonly key: string }
  | { readonly task: string }
  | { readonly queue: string; readonly endedBefore: string };

export interface ErasureOptions extends CommandOptions, Pick<ErasureRequest, 'abortOpen' | 'preview'> {}

export function startErasure(
  caller: Caller,
  subject: ErasureSubject,
  reason: string,
  options: ErasureOptions,
): Promise<StartedErasure> {
  const { abortOpen, preview } = options;
  const whose = 'label' in subject ? { label: labelText(subject.label) } : { ...subject };
  return caller.call('startErasure', { body: { ...whose, reason, abortOpen, preview } }, options);
}
