import { base64, fromBase64 } from '../kernel/base64.js';
import { HASH_BYTES } from '../merkle/hashing.js';
import type { TreeHead } from '../merkle/proofs.js';
import { SealError } from './seal-error.js';

/** What a seal says: so many leaves of the log `origin` have this root (c2sp.org/tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** The text to sign. Throws SealError if the origin is none. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  if (!isOrigin(origin)) throw new SealError('the name of a log in one line', origin);
  return `${origin}\n${size}\n${base64(root)}\n`;
}

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
