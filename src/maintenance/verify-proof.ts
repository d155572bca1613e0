import type { NoteKey } from '../domain/seals/note-key.js';
import { SealError } from '../domain/seals/seal-error.js';
import { parseTlogProof } from '../domain/seals/tlog-proof.js';
import { type Cosigned, cosignedBy } from '../infrastructure/notary/cosigned.js';
import { checkedProof, type ProvenEvent } from '../infrastructure/notary/proof-check.js';
import type { TaskProof } from '../projections/seals/get-task-proof.query.js';
import { givenKeys, Unusable } from './given-keys.js';
import { isSegment } from './proof-shape.js';

/** What `waybill verify FILE` found. `fault`: why the proof proves nothing. `refused`: why it cannot be looked at. */
export type VerifiedProof =
  | { readonly refused: string }
  | { readonly fault: string }
  | {
      readonly task: string;
      readonly events: readonly ProvenEvent[];
      readonly log: string;
      readonly size: number;
      readonly truncated: boolean;
      /** The witnesses that were asked for, of the last seal that it has. */
      readonly cosigned: readonly Cosigned[];
    };

/** Runs `waybill verify FILE`. It needs no service, no database and no network. `witnesses`: the keys of those that must have cosigned each seal. */
export function verifyProof(text: string, keyText: string, witnesses: readonly string[] = []): VerifiedProof {
  try {
    const keys = givenKeys(keyText, witnesses);
    const proof = proofIn(text);
    const { task, events, log } = checkedProof(proof, keys.key);
    const cosigned = cosignedIn(proof, keys.witnesses);
    return { task, events, log: log.origin, size: log.size, truncated: proof.truncated, cosigned };
  } catch (error) {
    if (error instanceof Unusable) return { refused: error.message };
    if (error instanceof SealError) return { fault: error.message };
    throw error;
  }
}

function cosignedIn({ segments }: TaskProof, witnesses: readonly NoteKey[]): readonly Cosigned[] {
  const seals = new Set(segments.map(({ proof }) => parseTlogProof(proof).seal));
  return [...seals].map((seal) => cosignedBy(seal, witnesses)).at(-1)!;
}

/** Throws `Unusable` if the text is no proof of this version. */
function proofIn(text: string): TaskProof {
  const { format, version, task, truncated, segments } = jsonIn(text);
  if (format !== 'waybill-proof' || version !== 1)
    throw new Unusable(`Expected a proof of version 1, but it is '${String(format)}' of version ${String(version)}`);
  if (typeof task !== 'string' || !Array.isArray(segments) || segments.length === 0 || !segments.every(isSegment))
    throw new Unusable('Expected a proof with a task and segments, but a part of it lacks');
  return { format, version, task, truncated: truncated === true, segments };
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch (error) {
    throw new Unusable(`Expected a proof as JSON, but: ${(error as Error).message}`);
  }
}
