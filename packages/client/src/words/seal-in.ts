import type { TaskProof } from '@waybill/contracts';

export interface SealWords {
  /** The name of the log. */
  readonly log: string;
  /** Leaves. */
  readonly size: number;
  /** Who signed it besides the log. */
  readonly witnesses: readonly string[];
}

/** What the largest seal in the proofs says. Whose signatures are right is not checked. */
export function sealIn(proofs: readonly TaskProof[]): SealWords {
  const seals = proofs.flatMap(({ segments }) => segments.map(({ proof }) => sealOf(proof)));
  return seals.reduce((one, other) => (other.size > one.size ? other : one));
}

/** A tlog-proof ends with a signed note: name, size and root, an empty line, and a line a signature. */
function sealOf(proof: string): SealWords {
  const [log = '', size = '0', ...lines] = proof.slice(proof.indexOf('\n\n') + 2).split('\n');
  const signers = lines.filter((line) => line.startsWith('— ')).map((line) => line.split(' ')[1] ?? '');
  return { log, size: Number(size), witnesses: [...new Set(signers.filter((name) => name !== log))] };
}
