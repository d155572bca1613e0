import type { TreeHead } from '../../domain/merkle/proofs.js';
import type { CheckedLeaf, LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';
import type { LogVerification } from './verification.js';

/** Of single events, mostly: pages of batches end at their bytes. */
const LEAVES_AT_ONCE = 2_048;

/** Gives the verification all that it has not had of the log, with what the stored tree has in place of each leaf. Returns what the log is. */
export async function verifyLeaves(
  leaves: Pick<LogLeaves, 'checked'>,
  tree: Pick<LogTree, 'leafHashes'>,
  verification: LogVerification,
): Promise<TreeHead> {
  const { position } = verification;
  for await (const page of inAdvance(position, (after, limit) => leaves.checked(after, limit))) {
    const stored = await tree.leafHashes(verification.size, page.length);
    page.forEach((leaf, at) => {
      if (at === page.length - 1) verification.mark();
      verification.take(leaf, stored[at]);
    });
  }
  return verification.end();
}

/**
 * All pages of leaves after a position. The store reads the next one while this process looks at one. It looks at the lengths of all leaves that it is asked
 * for, so it is asked for no more than twice as many as had the bytes of a page before.
 */
async function* inAdvance(
  position: bigint,
  read: (after: bigint, limit: number) => Promise<readonly CheckedLeaf[]>,
): AsyncGenerator<readonly CheckedLeaf[]> {
  for (let next = read(position, LEAVES_AT_ONCE); ;) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    next = read(last.position, Math.min(page.length * 2, LEAVES_AT_ONCE));
    // Whoever stops early never waits for it.
    next.catch(() => undefined);
    yield page;
  }
}
