import { base64, fromBase64 } from '../kernel/base64.js';
import type { Sha256 } from '../merkle/hashing.js';
import { isKeyName } from './note.js';
import { SealError } from './seal-error.js';

/** What a key signs, by the byte that stands for it (c2sp.org/signed-note). */
export const KEY_KINDS = {
  /** The text of a note, as a log does. */
  log: 1,
  /** The text and the time, as a witness does (c2sp.org/tlog-cosignature). */
  witness: 4,
} as const;

export type KeyKind = keyof typeof KEY_KINDS;

/** A public key of Ed25519 with its name, by which signatures are found and checked. */
export interface NoteKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Says in signatures which key of this name it is. Others may have the same: it is no proof. */
  readonly id: number;
}

const PUBLIC_KEY_BYTES = 32;

/** Throws SealError if no note can have the name. */
export function noteKey(name: string, kind: KeyKind, publicKey: Uint8Array, sha256: Sha256): NoteKey {
  if (!isKeyName(name)) throw new SealError('the name of a key without spaces and plus signs', name);
  return { name, kind, publicKey, id: keyId(name, withKind(kind, publicKey), sha256) };
}

function keyId(name: string, material: Uint8Array, sha256: Sha256): number {
  const head = new TextEncoder().encode(`${name}\n`);
  const bytes = new Uint8Array([...head, ...material]);
  return new DataView(sha256(bytes).slice().buffer).getUint32(0);
}

const withKind = (kind: KeyKind, publicKey: Uint8Array): Uint8Array => new Uint8Array([KEY_KINDS[kind], ...publicKey]);

/** The key as people hand it on: name, id and key, with plus signs between them. */
export const verifierKey = ({ name, kind, publicKey, id }: NoteKey): string =>
  `${name}+${id.toString(16).padStart(8, '0')}+${base64(withKind(kind, publicKey))}`;

/** The name of a key as people hand it on: that of the log, or of the witness. */
export const nameInKey = (text: string): string => text.slice(0, text.indexOf('+'));

/** Throws SealError if the text is no such key, or its id is not that of the key. */
export function parseVerifierKey(text: string, sha256: Sha256): NoteKey {
  const [, name, id, material] = /^([^+]+)\+([\da-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = fromBase64(material ?? '');
  const kind = bytes && (Object.keys(KEY_KINDS) as KeyKind[]).find((one) => KEY_KINDS[one] === bytes[0]);
  if (name === undefined || !kind || bytes.length !== 1 + PUBLIC_KEY_BYTES)
    throw new SealError('an Ed25519 key as name+id+key, of a log or a witness', text);
  const key = noteKey(name, kind, bytes.slice(1), sha256);
  if (id !== verifierKey(key).split('+')[1]) throw new SealError(`the key's id ${verifierKey(key)}`, text);
  return key;
}
