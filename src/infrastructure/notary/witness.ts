import { addCheckpointText, knownSizeIn } from '../../domain/seals/add-checkpoint.js';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import { consistencyPath } from '../../domain/merkle/proofs.js';
import { type NoteSignature, noteText, parseNote, type SignedNote } from '../../domain/seals/note.js';
import { type NoteKey, parseVerifierKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { signersOf } from '../../domain/seals/signers.js';
import type { LogTree } from './log-tree.js';
import { sha256, verifySignature } from './node-signing.js';
import type { WitnessOptions } from './witness-options.js';

/**
 * `refuses`: the witness knows another log under this name, or another past of it. `away`: it could not be asked, or does not know the log; a
 * later seal may get its line.
 */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly signature: NoteSignature }
  | { readonly kind: 'refuses'; readonly why: string }
  | { readonly kind: 'away'; readonly why: string };

/** A witness that hangs makes a seal so much later. */
const PATIENCE_MS = 3_000;
/** A line has some 200 characters. */
const MOST_BYTES = 16_384;
const MOST_SHOWN = 200;
/** One to learn what it cosigned last, and one with the proof from there. */
const TRIES = 2;

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Somebody else who signs a seal, with the time, if the log begins with what it cosigned last (c2sp.org/tlog-witness). */
export class Witness {
  readonly key: NoteKey;
  private readonly url: string;
  /** What it cosigned last of the log of this name, as far as is known. It tells if it is another. */
  private last = { log: '', size: 0 };

  constructor(
    { key, url }: WitnessOptions,
    private readonly tree: Pick<LogTree, 'rootsOf'>,
  ) {
    this.key = parseVerifierKey(key, sha256);
    this.url = `${url.replace(/\/$/, '')}/add-checkpoint`;
  }

  /** `note`: the seal, signed by the log. The tree must have it. */
  async cosign(seal: Checkpoint, note: SignedNote): Promise<WitnessAnswer> {
    if (this.last.log !== seal.origin) this.last = { log: seal.origin, size: 0 };
    for (let tries = 0; tries < TRIES; tries++) {
      const reply = await this.ask(seal, note);
      if (typeof reply === 'string') return { kind: 'away', why: reply };
      if (reply.status !== 409) return this.answerOf(reply, seal, note.text);
      const known = knownSizeIn(reply.text);
      if (known === null) return { kind: 'away', why: said(reply) };
      if (known > seal.size || known === this.last.size)
        return { kind: 'refuses', why: `it has cosigned another log of ${known} leaves` };
      this.last = { log: seal.origin, size: known };
    }
    return { kind: 'away', why: 'it was told of another size at the same time' };
  }

  private answerOf(reply: Reply, seal: Checkpoint, text: string): WitnessAnswer {
    if (reply.status === 422)
      return { kind: 'refuses', why: `the log does not begin with the ${this.last.size} leaves that it has cosigned` };
    if (reply.status !== 200) return { kind: 'away', why: said(reply) };
    try {
      const signature = this.signatureIn(reply.text, text);
      this.last = { log: seal.origin, size: seal.size };
      return { kind: 'cosigned', signature };
    } catch (error) {
      if (error instanceof SealError) return { kind: 'away', why: error.message };
      throw error;
    }
  }

  /** Throws SealError unless the lines have its signature of the text. */
  private signatureIn(lines: string, text: string): NoteSignature {
    const { signatures } = parseNote(`${text}\n${lines}`);
    const own = signatures.filter(({ name, keyId }) => name === this.key.name && keyId === this.key.id);
    signersOf({ text, signatures: own }, [this.key], verifySignature);
    return own[0]!;
  }

  /** A text if there is no answer. */
  private async ask({ size }: Checkpoint, note: SignedNote): Promise<Reply | string> {
    const { size: old } = this.last;
    const proof = await this.tree.rootsOf(consistencyPath(old, size)!, size);
    const body = addCheckpointText({ old, proof, seal: noteText(note) });
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(this.url, { method: 'POST', body, redirect: 'error', signal });
      return { status: response.status, text: await textOf(response) };
    } catch (error) {
      const { cause, message } = error as Error;
      return cause instanceof Error ? cause.message : message;
    }
  }
}

const said = ({ status, text }: Reply): string => `it answers ${status}: ${text.slice(0, MOST_SHOWN).trim()}`;

/** Throws if it is longer than any answer. */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`its answer has more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
