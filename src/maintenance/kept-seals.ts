import { nextKeyIn, parseCheckpoint } from '../domain/seals/checkpoint.js';
import { parseNote } from '../domain/seals/note.js';
import type { NoteKey } from '../domain/seals/note-key.js';
import { SealError } from '../domain/seals/seal-error.js';
import { type Signer, signersOf } from '../domain/seals/signers.js';
import { keysAfter } from '../infrastructure/notary/keys-after.js';
import { verifySignature } from '../infrastructure/notary/node-signing.js';
import type { KeptSeal } from '../infrastructure/notary/verification.js';

/** A file with a seal that somebody kept. */
export interface SealFile {
  readonly name: string;
  readonly text: string;
}

/**
 * What the seals say that were kept of the log with this key, and of those after it. Throws SealError if one is none, or if there are witnesses
 * and none of them cosigned any. `key`: null if there are no seals.
 */
export function keptSeals(
  seals: readonly SealFile[],
  key: NoteKey | null,
  witnesses: readonly NoteKey[],
): readonly KeptSeal[] {
  const keys =
    key === null
      ? []
      : keysAfter(
          key,
          seals.map(({ text }) => text),
        );
  const kept = seals.map((seal) => keptSeal(seal, keys, witnesses));
  if (witnesses.length > 0 && kept.every(({ witnessedMs }) => witnessedMs === null))
    throw new SealError(
      `a seal with a cosignature of ${witnesses.map(({ name }) => name).join(' or ')}`,
      seals.map(({ name }) => name).join(', '),
    );
  return kept;
}

function keptSeal({ name, text }: SealFile, keys: readonly NoteKey[], witnesses: readonly NoteKey[]): KeptSeal {
  const note = parseNote(text);
  const { origin, size, root } = parseCheckpoint(note.text);
  const own = keys.filter((key) => key.name === origin);
  signersOf(note, own.length === 0 ? keys : own, verifySignature);
  if (own.length === 0) throw new SealError(`a seal of the log ${keys[0]!.name} in ${name}`, origin);
  return {
    log: origin,
    size,
    root,
    note: text,
    nextKey: nextKeyIn(note.text),
    witnessedMs: latestOf(signersOf(note, [...keys, ...witnesses], verifySignature)),
  };
}

/** In milliseconds since 1970; null if no witness signed. */
function latestOf(signers: readonly Signer[]): number | null {
  const times = signers.flatMap(({ seconds }) => (seconds === null ? [] : [seconds * 1_000]));
  return times.length === 0 ? null : Math.max(...times);
}
