import { base64, fromBase64 } from '../kernel/base64.js';
import { SealError } from './seal-error.js';

/** A line beneath a note. Name and id together say whose it is, and of which kind. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: number;
  readonly bytes: Uint8Array;
}

/** A text and who signed it (c2sp.org/signed-note). Nothing in it is true before `signersOf` says who signed it. */
export interface SignedNote {
  /** With its final line break. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** More signatures than anybody needs: each costs a verifier time. */
const MOST_SIGNATURES = 100;
const KEY_ID_BYTES = 4;

/** A name in a note: no space, no plus, no control character. */
export const isKeyName = (name: string): boolean => name !== '' && !/[\s\u0085+]|\p{Cc}/u.test(name);

export function noteText({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

function signatureLine({ name, keyId, bytes }: NoteSignature): string {
  const all = new Uint8Array(KEY_ID_BYTES + bytes.length);
  new DataView(all.buffer).setUint32(0, keyId);
  all.set(bytes, KEY_ID_BYTES);
  return `— ${name} ${base64(all)}\n`;
}

/** Throws SealError if the text is no note. */
export function parseNote(note: string): SignedNote {
  const control = Array.from(note).find((character) => character < ' ' && character !== '\n');
  if (control !== undefined) throw new SealError('a note without control characters', JSON.stringify(control));
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new SealError('a text, an empty line and signatures', note);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES)
    throw new SealError(`at most ${MOST_SIGNATURES} signatures`, String(lines.length));
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [, name, signature] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  const bytes = fromBase64(signature ?? '');
  if (name === undefined || !isKeyName(name) || bytes === null || bytes.length <= KEY_ID_BYTES)
    throw new SealError('a line with the name of a key and a signature', line);
  return { name, keyId: new DataView(bytes.buffer).getUint32(0), bytes: bytes.slice(KEY_ID_BYTES) };
}
