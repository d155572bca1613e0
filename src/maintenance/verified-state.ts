import { base64, fromBase64 } from '../domain/kernel/base64.js';
import { type Hash, HASH_BYTES } from '../domain/merkle/hashing.js';
import { completeRanges } from '../domain/merkle/ranges.js';
import type { TreeHead } from '../domain/merkle/proofs.js';
import { SealError } from '../domain/seals/seal-error.js';
import type { LogEnding, VerifiedPart } from '../infrastructure/notary/verification.js';

/** What a run of `waybill verify` leaves for the next one. */
export interface VerifiedState {
  readonly part: VerifiedPart;
  /** The seals that were compared so far. */
  readonly compared: readonly string[];
}

/** A seal in a state. */
export const comparedSeal = ({ size, root }: TreeHead): string => `${size} ${base64(root)}`;

/** JSON. `key`: the text of the key of the log. */
export const stateText = ({ part, compared }: VerifiedState, key: string): string => {
  const { size, position, next, latest, parts, leaf, ends } = part;
  const numbers = { size, position: String(position), next: next === null ? null : String(next), latest };
  const hashes = { parts: parts.map(base64), leaf: base64(leaf) };
  const said = { ends: ends.map((one) => ({ ...one, position: String(one.position) })), compared };
  return `${JSON.stringify({ format: FORMAT, version: 1, key, ...numbers, ...hashes, ...said }, null, 2)}\n`;
};

const FORMAT = 'waybill-verified-log';

/** Throws SealError if the text is none of this version, or of the log of another key. */
export function stateIn(text: string, key: string): VerifiedState {
  const value = objectIn(text);
  if (value['format'] !== FORMAT || value['version'] !== 1) throw new SealError(`a state of 'waybill verify'`, text);
  if (value['key'] !== key) throw new SealError(`a state of the log with the key ${key}`, String(value['key']));
  const { size, position, next, latest, ends, compared } = value;
  const parts = hashesIn(value['parts']);
  const [leaf] = hashesIn([value['leaf']]);
  const isWhole =
    Number.isSafeInteger(size) &&
    completeRanges({ start: 0, end: size as number }).length === parts.length &&
    [position, next ?? '0'].every((one) => /^\d{1,19}$/.test(String(one))) &&
    typeof latest === 'number' &&
    Array.isArray(ends) &&
    Array.isArray(compared);
  if (!isWhole) throw new SealError(`a whole state of 'waybill verify'`, text);
  const numbers = { size: size as number, position: BigInt(position as string), latest };
  const part = {
    ...numbers,
    next: next === null ? null : BigInt(next as string),
    parts,
    leaf: leaf!,
    ends: endsIn(ends as readonly StoredEnding[]),
  };
  return { part, compared: compared as readonly string[] };
}

type StoredEnding = Omit<LogEnding, 'position'> & { readonly position: string };

const endsIn = (ends: readonly StoredEnding[]): readonly LogEnding[] =>
  ends.map((one) => ({ ...one, position: BigInt(one.position) }));

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    throw new SealError(`a state of 'waybill verify' as JSON`, text);
  }
}

function hashesIn(value: unknown): readonly Hash[] {
  if (!Array.isArray(value)) throw new SealError('hashes', String(value));
  return value.map((one) => {
    const bytes = fromBase64(String(one));
    if (bytes?.length !== HASH_BYTES) throw new SealError('a hash', String(one));
    return bytes;
  });
}
