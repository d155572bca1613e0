import { HashedText } from '../event-codec/hashed-text.js';
import { erasedBy, isErasedAsBuildsDo, missingIn } from './erased-halves.js';
import type { CheckedLeaf, LeafNotes } from './log-leaves.port.js';
import { hashing } from './node-signing.js';
import { saidOfLog } from './said-of-log.js';
import type { StoredSegment } from './stored-segment.js';
import { storedDigest } from './stored-text.js';
import { millisecondsOf, timeText } from './stored-time.js';

/** A line with numbers, a time and a digest. */
const LEAF_BYTES = 160;
const SPACE = 32;

/** Made anew of the row, which it does not need any more then. */
export function checkedLeaf(segment: StoredSegment): CheckedLeaf {
  const { position: first, last, microseconds } = segment;
  const made = storedDigest(segment);
  return {
    first,
    position: last,
    recordedMs: millisecondsOf(microseconds),
    hash: hashing.leaf(leafBytes(segment, made)),
    notes: notesOf(segment, made),
  };
}

export const leafText = (segment: StoredSegment): string => leafBytes(segment, storedDigest(segment)).toString();

/**
 * The leaf of a row as `waybill_leaf` makes it, but made here, because the functions of the database are its superuser's. `made`: its digest, if the
 * row has none. Valid until the next text.
 */
function leafBytes(segment: StoredSegment, made: string | null): Buffer {
  const { bytes } = segment;
  // Of columns that may have any length.
  const text = new HashedText(LEAF_BYTES + bytes.length * 2);
  text.add(segment.isNull('digest') ? 'waybill 0 ' : 'waybill 1 ');
  text.addPart(String(segment.position), SPACE);
  text.addPart(String(segment.n), SPACE);
  text.addPart(timeText(segment.microseconds), SPACE);
  if (segment.isNull('digest')) text.addPart(made ?? '-', SPACE);
  else text.addHex(bytes, segment.start('digest'), segment.end('digest'), SPACE);
  if (segment.isNull('prevs')) text.add('-');
  else text.addAll(bytes, segment.start('prevs'), segment.end('prevs'));
  return text.bytes();
}

function notesOf(segment: StoredSegment, made: string | null): LeafNotes {
  const { hasMark } = segment;
  const isAltered = made === null || !segment.mayHaveDigest(made) || (hasMark && !isErasedAsBuildsDo(segment));
  const missing = hasMark ? missingIn(segment) : NONE;
  const [erases, says] = [erasedBy(segment), saidOfLog(segment)];
  if (!isAltered && missing.length + erases.length + says.length === 0) return NOTHING;
  return { isAltered, missing, erases, says };
}

/** Of nearly all leaves. */
const NOTHING: LeafNotes = {};
const NONE: readonly never[] = [];
