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

/** Of the private halves of a segment, one after the other. */
class Commitments {
  /** The row. Each half is hashed where it is, with its salt in the place of what is before it, which is put back. Other columns are before the first. */
  private readonly bytes: Buffer;
  private readonly end: number;
  private readonly salts: number;
  private readonly saltBytes: number;
  private at = 0;
  private start: number;
  private isOfAny = false;

  constructor(segment: StoredSegment) {
    this.bytes = segment.bytes;
    [this.start, this.end] = [segment.start('private'), segment.end('private')];
    this.salts = segment.start('salts');
    this.saltBytes = segment.isNull('salts') ? 0 : segment.end('salts') - this.salts;
  }

  /** Whether as many were taken as there are halves, at least one, and salts. */
  get areOfAll(): boolean {
    return this.isOfAny && this.start === this.end + 1 && this.saltBytes === this.at * SALT_BYTES;
  }

  /** SHA-256 of the next salt and half, in Base64; `-` without a half. Of an erased half, it is what is left. */
  next(): string {
    const { bytes, start } = this;
    const found = start > this.end ? -1 : bytes.indexOf(LINE_BREAK, start);
    const end = found === -1 || found > this.end ? this.end : found;
    this.start = end + 1;
    const salt = this.salts + this.at++ * SALT_BYTES;
    if (start >= end) return '-';
    this.isOfAny = true;
    if (bytes[start] === ERASED)
      return bytes.toString('utf8', start + 1, Math.min(start + 1 + COMMITMENT_CHARACTERS, end));
    return this.hashed(start, end, salt);
  }

  private hashed(start: number, end: number, salt: number): string {
    const { bytes } = this;
    const from = start - SALT_BYTES;
    // Buffer.copy takes longer for so few bytes.
    for (let n = 0; n < SALT_BYTES; n++) {
      before[n] = bytes[from + n]!;
      bytes[from + n] = bytes[salt + n]!;
    }
    const hashed = hash('sha256', bytes.subarray(from, end), 'base64');
    for (let n = 0; n < SALT_BYTES; n++) bytes[from + n] = before[n]!;
    return hashed;
  }
}

const before = new Uint8Array(SALT_BYTES);
