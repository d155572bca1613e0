import { base64, fromBase64 } from '../kernel/base64.js';
import { type Hash, HASH_BYTES } from '../merkle/hashing.js';
import { SealError } from './seal-error.js';

/** That a leaf is in a log, as a text to take away (c2sp.org/tlog-proof). */
export interface TlogProof {
  /** Of the leaf, from 0. */
  readonly index: number;
  /** From beside the leaf up to below the root. */
  readonly hashes: readonly Hash[];
  /** A signed note, as it is. */
  readonly seal: string;
  /** Of use to a verifier, but not proven. */
  readonly extra?: Uint8Array;
}

const FORMAT = 'c2sp.org/tlog-proof@v1';

export const tlogProofText = ({ index, hashes, seal, extra }: TlogProof): string =>
  [FORMAT, ...(extra ? [`extra ${base64(extra)}`] : []), `index ${index}`, ...hashes.map(base64), '', seal].join('\n');

/** Throws SealError if the text is no proof. That it proves anything is not checked. */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const [format = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  if (format !== FORMAT) throw new SealError(`the line '${FORMAT}'`, end < 0 ? text : format);
  const extra = lines[0]?.startsWith('extra ') ? bytesIn(lines.shift()!.slice('extra '.length)) : undefined;
  const [, index] = /^index (0|[1-9]\d*)$/.exec(lines.shift() ?? '') ?? [];
  if (index === undefined || !Number.isSafeInteger(Number(index)))
    throw new SealError("a line 'index' with a whole number", text);
  return { index: Number(index), hashes: lines.map(hashIn), seal: text.slice(end + 2), ...(extra && { extra }) };
}

function hashIn(line: string): Hash {
  const hash = bytesIn(line);
  if (hash.length !== HASH_BYTES) throw new SealError(`a hash of ${HASH_BYTES} bytes`, line);
  return hash;
}

function bytesIn(line: string): Uint8Array {
  const bytes = fromBase64(line);
  if (bytes === null) throw new SealError('Base64', line);
  return bytes;
}
