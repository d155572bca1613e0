import type { TreeHead } from '../../domain/merkle/proofs.js';
import type { CheckedLeaf, LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';
import type { LogVerification } from './verification.js';

/** In Postgres events, of which each leaf has one at least. Enough that a page costs little beside them, and few enough that no read holds a snapshot for long. */
const LEAVES_AT_ONCE = 8_192;

/** Gives the verification all that it has not had of the log, with what the stored tree has in place of each leaf. Returns what the log is. */
export async function verifyLeaves(
  leaves: Pick<LogLeaves, 'checked' | 'outside' | 'misnamed'>,
  tree: Pick<LogTree, 'leafHashes'>,
  verification: LogVerification,
): Promise<TreeHead> {
  verification.takeOutside(await leaves.outside());
  verification.takeMisnamed(await leaves.misnamed());
  for await (const page of inAdvance(leaves, verification.position)) {
    const stored = await tree.leafHashes(verification.size, page.length);
    page.forEach((leaf, at) => {
      if (at === page.length - 1) verification.mark();
      verification.take(leaf, stored[at]);
    });
  }
  return verification.end();
}

/** All pages of leaves after a position. The store reads the next one while this process looks at one. */
async function* inAdvance(
  leaves: Pick<LogLeaves, 'checked'>,
  position: bigint,
): AsyncGenerator<readonly CheckedLeaf[]> {
  for (let next = leaves.checked(position, LEAVES_AT_ONCE); ;) {
    const page = await next;
    const last = page.at(-1);
    if (!last) return;
    next = leaves.checked(last.position, LEAVES_AT_ONCE);
    // Whoever stops early never waits for it.
    next.catch(() => undefined);
    yield page;
  }
}
