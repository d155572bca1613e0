import type { ErasureSubject } from '../../application/erasures/erasure.js';
import type { ErasureRequest } from '../dto/erasure.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';

/** Whose tasks are erased. Throws `InvalidInput` unless the request names one subject. */
export function subjectIn({ label, key, queue, task, endedBefore }: ErasureRequest): ErasureSubject {
  const named = [label, key, task, endedBefore].filter((one) => one !== undefined);
  if (named.length !== 1)
    throw invalid('', `Expected one of label, key, task and endedBefore, but got ${named.length} of them`);
  if ((key === undefined && endedBefore === undefined) !== (queue === undefined))
    throw invalid('/queue', 'Expected a queue with a key or endedBefore, and only then');
  if (endedBefore !== undefined) return { ended: { queue: queue!, before: sinceOf(endedBefore) } };
  if (label !== undefined) return { label: labelIn(label) };
  return key === undefined ? { task: task! } : { key: { queue: queue!, key } };
}

function labelIn(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf(':');
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

const invalid = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);
