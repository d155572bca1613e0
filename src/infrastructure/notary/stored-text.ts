import { hash } from 'node:crypto';
import { HashedText } from '../event-codec/hashed-text.js';
import { SALT_BYTES } from '../event-codec/segment-digest.js';
import type { SegmentColumn, StoredSegment } from './stored-segment.js';

// The text of a segment (docs/reference/log-format.md), made of the bytes of its row: to decode these first takes as long as to hash them.

/** Of 32 bytes in Base64. What follows them says what is left of an erased half. */
const COMMITMENT_CHARACTERS = 44;
/** A stream, a revision, an id and a commitment, each with what follows it. */
const EVENT_BYTES = 37 + 12 + 37 + 45;
const SPACE = 32;
const LINE_BREAK = 10;
const ERASED = 35;

/**
 * SHA-256 of the text, in hex. Null if no build writes such a row: its columns have not as many parts as it has events, or say in another way that there
 * is nothing.
 */
export function storedDigest(segment: StoredSegment): string | null {
  const text = textBytes(segment);
  return text && hash('sha256', text, 'hex');
}

/** Empty if no build writes such a row. */
export const storedText = (segment: StoredSegment): string => textBytes(segment)?.toString() ?? '';

/** Valid until the next call. */
function textBytes(segment: StoredSegment): Buffer | null {
  if (!segment.hasListsOfAll || segment.sharesMark) return null;
  const { bytes, n } = segment;
  const text = new HashedText(bytes.length + n * EVENT_BYTES);
  const add = (column: SegmentColumn, then: number): void =>
    text.addBytes(bytes, segment.start(column), segment.end(column), then);
  for (const column of ['category', 'type', 'version'] as const) add(column, SPACE);
  text.addPart(String(n), LINE_BREAK);
  add('meta', LINE_BREAK);
  if (segment.isNull('shared')) text.addPart('-', LINE_BREAK);
  else add('shared', LINE_BREAK);
  const commitments = segment.isNull('private') ? null : new Commitments(segment);
  addEvents(text, segment, commitments);
  add('data', LINE_BREAK);
  return commitments === null || commitments.areOfAll ? text.bytes() : null;
}

function addEvents(text: HashedText, segment: StoredSegment, commitments: Commitments | null): void {
  const { bytes, n, revisions } = segment;
  for (let at = 0; at < n; at++) {
    text.addUuid(bytes, segment.uuidAt('streams', at), SPACE);
    text.addPart(revisions === null ? '0' : revisions[Math.min(at, revisions.length - 1)]!, SPACE);
    text.addUuid(bytes, segment.uuidAt('ids', at), SPACE);
    text.addPart(commitments === null ? '-' : commitments.next(), LINE_BREAK);
  }
}

/** Most columns fit, so that they need no buffer of their own. */
const salted = Buffer.allocUnsafeSlow(65_536);

/** Of the private halves of a segment, one after the other. */
class Commitments {
  /** The column, behind room for a salt. Each half is hashed where it is: its salt takes the place of what is before it, which has been hashed. */
  private readonly halves: Buffer;
  private readonly salts: Buffer;
  private at = 0;
  private start = SALT_BYTES;
  private isOfAny = false;

  constructor(segment: StoredSegment) {
    const [start, end] = [segment.start('private'), segment.end('private')];
    const length = SALT_BYTES + end - start;
    this.halves = (length <= salted.length ? salted : Buffer.allocUnsafeSlow(length)).subarray(0, length);
    segment.bytes.copy(this.halves, SALT_BYTES, start, end);
    this.salts = segment.salts ?? Buffer.alloc(0);
  }

  /** Whether as many were taken as there are halves, at least one, and salts. */
  get areOfAll(): boolean {
    return this.isOfAny && this.start === this.halves.length + 1 && this.salts.length === this.at * SALT_BYTES;
  }

  /** SHA-256 of the next salt and half, in Base64; `-` without a half. Of an erased half, it is what is left. */
  next(): string {
    const { halves, start } = this;
    const found = halves.indexOf(LINE_BREAK, start);
    const end = found === -1 ? halves.length : found;
    this.start = end + 1;
    const salt = this.at++ * SALT_BYTES;
    if (start >= end) return '-';
    this.isOfAny = true;
    if (halves[start] === ERASED)
      return halves.toString('utf8', start + 1, Math.min(start + 1 + COMMITMENT_CHARACTERS, end));
    // Buffer.copy takes longer for so few bytes.
    for (let n = 0; n < SALT_BYTES; n++) halves[start - SALT_BYTES + n] = this.salts[salt + n]!;
    return hash('sha256', halves.subarray(start - SALT_BYTES, end), 'base64');
  }
}
