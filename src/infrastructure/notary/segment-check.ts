import { hashing, sha256, verifySignature } from './node-signing.js';
import { fromBase64 } from '../../domain/kernel/base64.js';
import { type Checkpoint, parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import type { NoteKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { signersOf } from '../../domain/seals/signers.js';
import type { PrivateHalf } from '../../projections/seals/log-proofs.port.js';
import { SALT_BYTES } from '../event-codec/segment-digest.js';

/** A segment whose text is what its leaf says. */
export interface CheckedText {
  /** Of its first event. */
  readonly position: bigint;
  readonly recordedAt: string;
  readonly category: string;
  readonly type: string;
  /** The envelope of all, as JSON text. */
  readonly meta: string;
  /** What all have in common, as JSON text, or `-`. */
  readonly shared: string;
  readonly events: readonly CheckedEvent[];
}

export interface CheckedEvent {
  readonly stream: string;
  readonly revision: number;
  /** `-` if it has no private half that was committed to. */
  readonly commitment: string;
  /** The public half without what all have in common, as JSON text. */
  readonly data: string;
}

/** Throws SealError if the digest in the leaf is not that of the text, or counts other events. */
export function checkedText({ leaf, text }: { readonly leaf: string; readonly text: string }): CheckedText {
  const { position, n, recordedAt, digest } = leafOf(leaf);
  if (Buffer.from(sha256(Buffer.from(text))).toString('hex') !== digest)
    throw new SealError(`a text with the digest ${digest} at position ${position}`, text);
  const [head = '', meta = '', shared = '-', ...lines] = text.split('\n');
  const [category = '', type = '', , count] = head.split(' ');
  if (count !== n) throw new SealError(`${n} events at position ${position}`, head);
  const events = lines.slice(0, Number(n)).map((line, at) => ({ ...eventIn(line), data: lines[Number(n) + at] ?? '' }));
  return { position: BigInt(position), recordedAt, category, type, meta, shared, events };
}

function eventIn(line: string): Omit<CheckedEvent, 'data'> {
  const [stream = '', revision, , commitment = ''] = line.split(' ');
  return { stream, revision: Number(revision), commitment };
}

/** Which events have the private half that was committed to. Throws SealError if a half is none of these. */
export function checkedHalves(
  position: bigint,
  halves: readonly PrivateHalf[],
  commitments: ReadonlyMap<number, string>,
): ReadonlySet<number> {
  for (const { event, salt, half } of halves) {
    // A longer salt would take the beginning of the half, and leave the rest of it as the whole.
    const made = sha256(Buffer.concat([bytesIn(salt, SALT_BYTES, 'a salt'), Buffer.from(half)]));
    if (Buffer.from(made).toString('base64') !== commitments.get(event))
      throw new SealError(`the private half of event ${event} at position ${position}`, half);
  }
  return new Set(halves.map(({ event }) => event));
}

/** What the key signed. Throws SealError if it did not, or it is another log's. */
export function checkedSeal(seal: string, key: NoteKey): Checkpoint {
  const note = parseNote(seal);
  signersOf(note, [key], verifySignature);
  const log = parseCheckpoint(note.text);
  if (log.origin !== key.name) throw new SealError(`a seal of the log ${key.name}`, log.origin);
  return log;
}

/** Throws SealError if the text is not the Base64 of so many bytes. */
export function bytesIn(text: string, length: number, what: string): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes?.length !== length) throw new SealError(`${what} of ${length} bytes in Base64`, text);
  return bytes;
}

export const leafHash = (leaf: string): Uint8Array => hashing.leaf(Buffer.from(leaf));

function leafOf(leaf: string) {
  const [, position, n, recordedAt, digest] = /^waybill [01] (\d+) (\d+) (\S+) ([\da-f]{64}) \S+$/.exec(leaf) ?? [];
  if (position === undefined || n === undefined || recordedAt === undefined || digest === undefined)
    throw new SealError("a leaf as 'waybill 1 <position> <n> <time> <digest> <chain>'", leaf);
  return { position, n, recordedAt, digest };
}
