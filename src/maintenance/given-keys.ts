import { type NoteKey, parseVerifierKey } from '../domain/seals/note-key.js';
import { SealError } from '../domain/seals/seal-error.js';
import { witnessKey } from '../infrastructure/notary/cosigned.js';
import { sha256 } from '../infrastructure/notary/node-signing.js';

/** What somebody gave to be verified, or to verify it by, cannot be looked at. The message says what was expected. */
export class Unusable extends Error {}

/** By what a file is verified: the key of a log, and those of the witnesses that must have cosigned its seals. */
export interface GivenKeys {
  readonly key: NoteKey;
  readonly witnesses: readonly NoteKey[];
}

/** Throws `Unusable` if a text is no key: nothing was verified then, so it is no fault of the file. */
export function givenKeys(key: string, witnesses: readonly string[]): GivenKeys {
  try {
    return { key: parseVerifierKey(key, sha256), witnesses: witnesses.map(witnessKey) };
  } catch (error) {
    if (error instanceof SealError) throw new Unusable(error.message);
    throw error;
  }
}
