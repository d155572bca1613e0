import { parseNote } from '../../domain/seals/note.js';
import { type NoteKey, parseVerifierKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { signersOf } from '../../domain/seals/signers.js';
import { sha256, verifySignature } from './node-signing.js';

/** That a witness knew the log of a seal, and of nothing that contradicts it. */
export interface Cosigned {
  readonly witness: string;
  /** By its clock. */
  readonly at: string;
}

/** Throws SealError if the text is none. */
export function witnessKey(text: string): NoteKey {
  const key = parseVerifierKey(text.trim(), sha256);
  if (key.kind !== 'witness') throw new SealError('the key of a witness', text);
  return key;
}

/** When each of the witnesses cosigned the seal. Throws SealError if one did not. */
export function cosignedBy(seal: string, witnesses: readonly NoteKey[]): readonly Cosigned[] {
  const note = parseNote(seal);
  return witnesses.map((key) => {
    const { seconds } = signersOf(note, [key], verifySignature)[0]!;
    return { witness: key.name, at: new Date(seconds! * 1_000).toISOString() };
  });
}
