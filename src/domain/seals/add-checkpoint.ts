import { base64 } from '../kernel/base64.js';
import type { Hash } from '../merkle/hashing.js';

/** What a witness is asked to cosign (c2sp.org/tlog-witness). */
export interface AddCheckpoint {
  /** The size of the log that it cosigned last; 0 if none. */
  readonly old: number;
  /** That the log of this size is the beginning of the one that the seal is of. */
  readonly proof: readonly Hash[];
  /** A signed note. */
  readonly seal: string;
}

export const addCheckpointText = ({ old, proof, seal }: AddCheckpoint): string =>
  [`old ${old}`, ...proof.map(base64), '', seal].join('\n');

/** The size that a witness answers with if it knows of another one than it was told; null if the text is none. */
export function knownSizeIn(text: string): number | null {
  const [, size] = /^(0|[1-9]\d{0,15})\n$/.exec(text) ?? [];
  return size === undefined ? null : Number(size);
}
