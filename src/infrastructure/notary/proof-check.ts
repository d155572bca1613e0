import { isIncluded } from '../../domain/merkle/proofs.js';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import type { NoteKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { parseTlogProof } from '../../domain/seals/tlog-proof.js';
import type { TaskProof } from '../../projections/seals/get-task-proof.query.js';
import type { SegmentProof } from '../../projections/seals/log-proofs.port.js';
import { hashing } from './node-signing.js';
import { checkedHalves, checkedSeal, checkedText, leafHash } from './segment-check.js';

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
  const { position, recordedAt, category, type, events } = checkedText(segment);
  if (category !== 'task') throw new SealError(`events of tasks at position ${position}`, category);
  const own = events.flatMap((event, at) => (event.stream === task ? [{ ...event, at }] : []));
  if (own.length === 0) throw new SealError(`an event of the task ${task} at position ${position}`, segment.text);
  const commitments = new Map(own.map(({ at, commitment }) => [at, commitment]));
  const whole = checkedHalves(position, segment.private, commitments);
  const proven = own.map(({ at, revision }): ProvenEvent => {
    return { position: String(position + BigInt(at)), type, revision, recordedAt, isWhole: whole.has(at) };
  });
  return { log, events: proven };
}

/** The tree that has the leaf. Throws SealError if it has not. */
export function checkedTree({ leaf, proof }: Pick<SegmentProof, 'leaf' | 'proof'>, key: NoteKey): Checkpoint {
  const { index, hashes, seal } = parseTlogProof(proof);
  const log = checkedSeal(seal, key);
  if (!isIncluded({ hash: leafHash(leaf), index }, log, hashes, hashing))
    throw new SealError(`a leaf of the log of ${log.size} leaves`, leaf);
  return log;
}
