import { hash, randomBytes } from 'node:crypto';
import { entryOf } from '../../../../domain/events.js';
import { eventCodec } from '../../../event-codec/event-codec.js';
import { SALT_BYTES } from '../../../event-codec/segment-digest.js';
import { decrypted, encrypted } from './encryption.js';

/** STORAGE FORMAT: what the data of a stored event have in place of its private half. */
export interface EncryptedHalf {
  /** SHA-256 of the salt and the half, in Base64, as in the log in Postgres. */
  readonly commitment: string;
  /** The salt and the half, encrypted with the key of the stream for the event's id, in Base64. */
  readonly text: string;
}

/** The name of that member. No event has one of its own that begins with `$`. */
const MEMBER = '$half';

type WithHalf = Readonly<Record<typeof MEMBER, EncryptedHalf>>;

/** A private half as a commitment is made of it. */
export interface SaltedHalf {
  readonly salt: Buffer;
  readonly line: string;
}

/** An event's data as they are in the domain, or as they are stored. */
export interface EventData {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: object;
}

/** The halves of an event; null if it has no private one. `line`: the JSON of the private one. */
export function halvesOf({ type, version, data }: EventData): { readonly open: object; readonly line: string } | null {
  if (entryOf(type)?.private === undefined) return null;
  const { lines, private: line } = eventCodec.encodeAll(type, version, [data]);
  return line === null ? null : { open: JSON.parse(lines) as object, line };
}

/** The encrypted half in stored data; null if there is none. */
export const encryptedIn = (data: unknown): EncryptedHalf | null =>
  typeof data === 'object' && data !== null && MEMBER in data ? (data as WithHalf)[MEMBER] : null;

/** The public half with the private one beside it. */
export function closed(id: string, open: object, line: string, key: Buffer): object {
  const salted = Buffer.concat([randomBytes(SALT_BYTES), Buffer.from(line)]);
  const half: EncryptedHalf = {
    commitment: hash('sha256', salted, 'base64'),
    text: encrypted(key, salted, id).toString('base64'),
  };
  return { ...open, [MEMBER]: half };
}

/** Null if the key is another one's, or the text is not what was committed to. */
export function saltedHalf(id: string, { commitment, text }: EncryptedHalf, key: Buffer): SaltedHalf | null {
  const salted = decrypted(key, Buffer.from(text, 'base64'), id);
  if (salted === null || hash('sha256', salted, 'base64') !== commitment) return null;
  return { salt: salted.subarray(0, SALT_BYTES), line: salted.toString('utf8', SALT_BYTES) };
}

/** The data with the private half, or with what is left of it. Of a member that both halves have, the private one is read. */
export function opened(data: object, half: object): object {
  const { [MEMBER]: _, ...open } = data as WithHalf;
  return { ...open, ...half };
}
