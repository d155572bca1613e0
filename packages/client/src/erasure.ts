import type { ErasureCertificate, ErasureRequest, StartedErasure } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions, CommandOptions } from './caller.js';
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

/** The service waits up to 20 seconds for a seal. */
const CERTIFICATE_MS = 30_000;

/** All of it: the service gives what was erased in parts. */
export async function erasureCertificate(
  caller: Caller,
  id: string,
  options: CallOptions = {},
): Promise<ErasureCertificate> {
  assertOptions('getErasureCertificate', options);
  const part = (after?: string): Promise<ErasureCertificate> =>
    caller.call('getErasureCertificate', { path: { id }, query: { after } }, { timeoutMs: CERTIFICATE_MS, ...options });
  const parts = [await part()];
  for (let { next } = parts[0]!; next; { next } = parts.at(-1)!) parts.push(await part(next));
  const [erased, segments] = [parts.flatMap((one) => one.erased), parts.flatMap((one) => one.segments)];
  return { ...parts[0]!, erased, segments, next: null };
}
