import { isIncluded } from '../../domain/merkle/proofs.js';
import { type Checkpoint, parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import type { NoteKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { signersOf } from '../../domain/seals/signers.js';
import { parseTlogProof } from '../../domain/seals/tlog-proof.js';
import type { SegmentProof } from '../../projections/seals/log-proofs.port.js';
import type { TaskProof } from '../../projections/seals/get-task-proof.query.js';
import { hashing, sha256, verifySignature } from './node-signing.js';

/** An event that a proof shows. */
export interface ProvenEvent {
  /** Decimal. */
  readonly position: string;
  readonly type: string;
  readonly revision: number;
  readonly recordedAt: string;
  /** Whether its private half was given, and is the one that was committed to. */
  readonly isWhole: boolean;
}

export interface CheckedProof {
  readonly task: string;
  readonly events: readonly ProvenEvent[];
  /** The smallest log that has them all. */
  readonly log: Checkpoint;
}

/** What a proof shows to whoever trusts the key only. Throws SealError where it does not. */
export function checkedProof(proof: TaskProof, key: NoteKey): CheckedProof {
  const segments = proof.segments.map((segment) => checkedSegment(segment, proof.task, key));
  const events = segments.flatMap((one) => one.events);
  // One that lacks would be a part of the history that nobody sees.
  events.forEach(({ revision, position }, at) => {
    if (revision !== at) throw new SealError(`event ${at} of the task at position ${position}`, `event ${revision}`);
  });
  const log = segments.map((one) => one.log).reduce((one, other) => (other.size > one.size ? other : one));
  return { task: proof.task, events, log };
}

function checkedSegment(segment: SegmentProof, task: string, key: NoteKey) {
  const log = checkedTree(segment, key);
  const { position, n, recordedAt, digest } = leafOf(segment.leaf);
  const text = Buffer.from(segment.text);
  if (Buffer.from(sha256(text)).toString('hex') !== digest)
    throw new SealError(`a text with the digest ${digest} at position ${position}`, segment.text);
  const [head = '', , , ...lines] = segment.text.split('\n');
  const [category, type = '', , count] = head.split(' ');
  if (category !== 'task' || count !== n) throw new SealError(`${n} events of tasks at position ${position}`, head);
  const own = lines.slice(0, Number(n)).flatMap((line, at) => {
    const [stream, revision, , commitment = ''] = line.split(' ');
    return stream === task ? [{ at, revision: Number(revision), commitment }] : [];
  });
  if (own.length === 0) throw new SealError(`an event of the task ${task} at position ${position}`, segment.text);
  const whole = checkedHalves(segment, new Map(own.map(({ at, commitment }) => [at, commitment])));
  const events = own.map(({ at, revision }): ProvenEvent => {
    return { position: String(BigInt(position) + BigInt(at)), type, revision, recordedAt, isWhole: whole.has(at) };
  });
  return { log, events };
}

/** The tree that has the leaf. */
function checkedTree({ leaf, proof }: SegmentProof, key: NoteKey): Checkpoint {
  const { index, hashes, seal } = parseTlogProof(proof);
  const note = parseNote(seal);
  signersOf(note, [key], verifySignature);
  const log = parseCheckpoint(note.text);
  if (log.origin !== key.name) throw new SealError(`a seal of the log ${key.name}`, log.origin);
  if (!isIncluded({ hash: hashing.leaf(Buffer.from(leaf)), index }, log, hashes, hashing))
    throw new SealError(`a leaf of the log of ${log.size} leaves`, leaf);
  return log;
}

/** Which events have the private half that was committed to. */
function checkedHalves(segment: SegmentProof, commitments: ReadonlyMap<number, string>): ReadonlySet<number> {
  for (const { event, salt, half } of segment.private) {
    const made = sha256(Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(half)]));
    if (Buffer.from(made).toString('base64') !== commitments.get(event))
      throw new SealError(`the private half of event ${event} at position ${segment.position}`, half);
  }
  return new Set(segment.private.map(({ event }) => event));
}

function leafOf(leaf: string) {
  const [, position, n, recordedAt, digest] = /^waybill [01] (\d+) (\d+) (\S+) ([\da-f]{64}) \S+$/.exec(leaf) ?? [];
  if (position === undefined || n === undefined || recordedAt === undefined || digest === undefined)
    throw new SealError("a leaf as 'waybill 1 <position> <n> <time> <digest> <chain>'", leaf);
  return { position, n, recordedAt, digest };
}
