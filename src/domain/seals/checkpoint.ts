import { base64, fromBase64 } from '../kernel/base64.js';
import { HASH_BYTES } from '../merkle/hashing.js';
import type { TreeHead } from '../merkle/proofs.js';
import { SealError } from './seal-error.js';

/** What a seal says: so many leaves of the log `origin` have this root (c2sp.org/tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** The line of a last seal with the key that comes next. */
const NEXT = 'next ';

/** The text to sign. `next`: the key of the log after it, as verifiers take it, if this is the last seal. Throws SealError if the origin is none. */
export function checkpointText({ origin, size, root }: Checkpoint, next: string | null = null): string {
  if (!isOrigin(origin)) throw new SealError('the name of a log in one line', origin);
  return `${origin}\n${size}\n${base64(root)}\n${next === null ? '' : `${NEXT}${next}\n`}`;
}

/** The key of the log after this one, as verifiers take it; null unless the text is that of a last seal. */
export const nextKeyIn = (text: string): string | null =>
  text
    .split('\n')
    .slice(3)
    .find((line) => line.startsWith(NEXT))
    ?.slice(NEXT.length) ?? null;

const isOrigin = (origin: string): boolean => origin !== '' && !/\p{Cc}/u.test(origin);

/** Lines after the third are left aside: they are signed, but say nothing of the tree. Throws SealError if it is none. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', hash = '', ...more] = text.split('\n');
  const root = fromBase64(hash);
  const isWhole = more.at(-1) === '' && !more.slice(0, -1).includes('');
  if (!isOrigin(origin) || !isSize(size) || root?.length !== HASH_BYTES || !isWhole)
    throw new SealError('the name of a log, a size and a root', text);
  return { origin, size: Number(size), root };
}

const isSize = (size: string): boolean => /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size));
