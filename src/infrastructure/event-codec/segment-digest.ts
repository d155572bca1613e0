import { hash, randomFillSync } from 'node:crypto';
import { HashedText } from './hashed-text.js';

// STORAGE FORMAT, described in docs/reference/log-format.md. `waybill_digest` makes the same digest of a stored row.

export const SALT_BYTES = 16;

/** What a digest is made of: a segment as it is stored, without what is known only once it is. */
export interface DigestedSegment {
  readonly category: string;
  readonly type: string;
  readonly version: number;
  /** JSON text. */
  readonly meta: string;
  readonly shared: string | null;
  readonly streams: readonly string[];
  /** Null if all are 0. One element if all are alike. */
  readonly revisions: readonly number[] | null;
  readonly ids: readonly string[];
  readonly lines: string;
  readonly private: string | null;
  /** Null if there are no private halves. */
  readonly salts: Buffer | null;
}

/** That of an erased half. */
export const NO_SALT = Buffer.alloc(SALT_BYTES);

/** That of an event of a segment. */
export const saltAt = (salts: Buffer, at: number): Buffer => salts.subarray(at * SALT_BYTES, (at + 1) * SALT_BYTES);

/** Random bytes for each private half of a segment of `size` events, without which nobody can guess it by its commitment. */
export function newSalts(size: number): Buffer {
  const length = size * SALT_BYTES;
  if (drawn + length > pool.length) {
    // The salts that were given out still use the pool of before.
    pool = Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, length));
    randomFillSync(pool);
    drawn = 0;
  }
  return pool.subarray(drawn, (drawn += length));
}

/** Filling 4 KiB at once costs a call of the system, as filling 16 bytes does. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let drawn = 0;

/** SHA-256 of the segment's text. */
export const segmentDigest = (segment: DigestedSegment): Buffer => hash('sha256', textBytes(segment), 'buffer');

/** The text of a segment that anybody can hash: each of its lines ends with a line break. */
export const digestText = (segment: DigestedSegment): string => textBytes(segment).toString();

/** Valid until the next call. */
function textBytes(segment: DigestedSegment): Buffer {
  const { category, type, version, meta, shared, streams, lines } = segment;
  const head = `${category} ${type} ${version} ${streams.length}\n${meta}\n${shared ?? '-'}\n`;
  const text = new HashedText(head.length * 3 + streams.length * EVENT_BYTES + lines.length * 3 + 1);
  text.add(head);
  addEvents(text, segment);
  text.add(lines);
  text.add('\n');
  return text.bytes();
}

function addEvents(text: HashedText, { streams, revisions, ids, salts, private: hidden }: DigestedSegment): void {
  const halves = salts === null || hidden === null ? null : hidden.split('\n');
  for (let at = 0; at < streams.length; at++) {
    const revision = revisions === null ? 0 : revisions[Math.min(at, revisions.length - 1)]!;
    const half = halves === null ? '' : halves[at]!;
    text.addPart(streams[at]!, SPACE);
    text.addPart(revision === 0 ? '0' : String(revision), SPACE);
    text.addPart(ids[at]!, SPACE);
    text.addPart(half === '' ? '-' : commitmentOf(salts!, at, half), LINE_BREAK);
  }
}

/** SHA-256 of the salt and the private half, in Base64. Of an erased half, it is what is left. */
function commitmentOf(salts: Buffer, at: number, half: string): string {
  if (half.startsWith('#')) return half.slice(1, 1 + COMMITMENT_CHARACTERS);
  const most = SALT_BYTES + half.length * 3;
  const bytes = most <= salted.length ? salted : Buffer.allocUnsafe(most);
  // Buffer.copy takes longer for so few bytes.
  for (let n = 0; n < SALT_BYTES; n++) bytes[n] = salts[at * SALT_BYTES + n]!;
  const length = SALT_BYTES + bytes.write(half, SALT_BYTES);
  return hash('sha256', bytes.subarray(0, length), 'base64');
}

/** Of 32 bytes in Base64. What follows them says what is left of an erased half. */
const COMMITMENT_CHARACTERS = 44;

/** Most halves fit, so that they need no buffer of their own. */
const salted = Buffer.allocUnsafeSlow(16_384);

const SPACE = 32;
const LINE_BREAK = 10;
/** A stream, a revision, an id and a commitment, each with what follows it. */
const EVENT_BYTES = 37 + 12 + 37 + 45;
