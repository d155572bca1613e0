import { hash, randomFillSync } from 'node:crypto';

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
export const segmentDigest = (segment: DigestedSegment): Buffer => hash('sha256', digestText(segment), 'buffer');

/** The text of a segment that anybody can hash: each of its lines ends with a line break. */
export function digestText(segment: DigestedSegment): string {
  const { category, type, version, meta, shared, streams, revisions, ids, lines, salts } = segment;
  const halves = salts === null ? null : segment.private!.split('\n');
  let text = `${category} ${type} ${version} ${streams.length}\n${meta}\n${shared ?? '-'}\n`;
  for (let at = 0; at < streams.length; at++) {
    const revision = revisions === null ? 0 : revisions[Math.min(at, revisions.length - 1)]!;
    const commitment = halves === null || halves[at] === '' ? '-' : commitmentOf(salts!, at, halves[at]!);
    text += `${streams[at]} ${revision} ${ids[at]} ${commitment}\n`;
  }
  return `${text}${lines}\n`;
}

/** SHA-256 of the salt and the private half, in Base64. Of an erased half, it is what is left. */
function commitmentOf(salts: Buffer, at: number, half: string): string {
  if (half.startsWith('#')) return half.slice(1);
  const most = SALT_BYTES + half.length * 3;
  const bytes = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  salts.copy(bytes, 0, at * SALT_BYTES, (at + 1) * SALT_BYTES);
  const length = SALT_BYTES + bytes.write(half, SALT_BYTES);
  return hash('sha256', bytes.subarray(0, length), 'base64');
}

/** Most halves fit, so that they need no buffer of their own. */
const scratch = Buffer.allocUnsafeSlow(16_384);
