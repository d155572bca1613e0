import { halvesOf, isErasedAsBuildsDo } from './erased-halves.js';
import type { CheckedLeaf } from './log-leaves.port.js';
import { saidOfLog } from './said-of-log.js';
import type { StoredSegment } from './stored-segment.js';
import { storedDigest } from './stored-text.js';

/** The leaf of a row as `waybill_leaf` makes it, but made here, because the functions of the database are its superuser's. */
export function checkedLeaf(segment: StoredSegment): CheckedLeaf {
  const { position, n, time, digest } = segment;
  const made = storedDigest(segment);
  return {
    first: position,
    position: position + BigInt(n) - 1n,
    text: `waybill ${digest === null ? 0 : 1} ${position} ${n} ${time} ${digest ?? made ?? '-'} ${segment.text('prevs') ?? '-'}`,
    isAltered: made === null || (digest !== null && digest !== made) || !isErasedAsBuildsDo(segment),
    ...halvesOf(segment),
    says: saidOfLog(segment),
  };
}
