import { nextKeyIn, parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import { type NoteKey, parseVerifierKey, verifierKey } from '../../domain/seals/note-key.js';
import { signersOf } from '../../domain/seals/signers.js';
import { sha256, verifySignature } from './node-signing.js';

/**
 * The key that was given, and those that follow from it: a last seal names the key of the next log. Throws SealError if one of the notes says that
 * it is the last seal under one of these keys, and it is not.
 */
export function keysAfter(given: NoteKey, notes: readonly string[]): readonly NoteKey[] {
  const keys = [given];
  for (const key of keys)
    for (const text of notes) {
      const note = parseNote(text);
      const next = nextKeyIn(note.text);
      if (next === null || parseCheckpoint(note.text).origin !== key.name) continue;
      signersOf(note, [key], verifySignature);
      if (keys.every((one) => verifierKey(one) !== next)) keys.push(parseVerifierKey(next, sha256));
    }
  return keys;
}
