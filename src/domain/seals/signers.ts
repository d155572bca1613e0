import { cosignedText, timeAndSignature, withTime } from './cosignature.js';
import type { NoteSignature, SignedNote } from './note.js';
import type { NoteKey } from './note-key.js';
import { SealError } from './seal-error.js';

/** Whether the 64 bytes are this key's Ed25519 signature of the message. The domain checks none itself. */
export type VerifySignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

export type Sign = (message: Uint8Array) => Uint8Array;

/** Who signed a note, and when: null if it is the key of a log, whose signature has no time. */
export interface Signer {
  readonly key: NoteKey;
  /** Since 1970. */
  readonly seconds: number | null;
}

/** The signature of a log's key beneath a text. */
export const logSignature = ({ name, id }: NoteKey, text: string, sign: Sign): NoteSignature => ({
  name,
  keyId: id,
  bytes: sign(bytesOf(text)),
});

/** The signature of a witness's key, at a time in whole seconds since 1970. */
export const cosignature = ({ name, id }: NoteKey, text: string, seconds: number, sign: Sign): NoteSignature => ({
  name,
  keyId: id,
  bytes: withTime(sign(bytesOf(cosignedText(text, seconds))), seconds),
});

/**
 * Which of the keys signed a note. Leaves out signatures of other keys. Throws SealError if a signature that names one of the keys
 * is not its own, and if none of the keys signed.
 */
export function signersOf(note: SignedNote, keys: readonly NoteKey[], verify: VerifySignature): readonly Signer[] {
  const signers = note.signatures.flatMap((signature) => {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.keyId);
    return key ? [signerOf(note.text, signature, key, verify)] : [];
  });
  if (signers.length > 0) return signers;
  const names = note.signatures.map(({ name }) => name).join(', ');
  throw new SealError(`a signature of ${keys.map(({ name }) => name).join(' or ')}`, names);
}

function signerOf(text: string, { bytes, name }: NoteSignature, key: NoteKey, verify: VerifySignature): Signer {
  const timed = key.kind === 'witness' ? timeAndSignature(bytes) : { seconds: null, signature: bytes };
  const signed = timed && (timed.seconds === null ? text : cosignedText(text, timed.seconds));
  if (!timed || signed === null || !verify(key.publicKey, bytesOf(signed), timed.signature))
    throw new SealError(`the text that ${name} signed`, text);
  return { key, seconds: timed.seconds };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
