import type { TreeHead } from '../../domain/merkle/proofs.js';
import type { CheckedLeaf, LogLeaves } from './log-leaves.port.js';
import type { LogTree } from './log-tree.js';
import type { LogVerification } from './verification.js';

/**
 * Positions that are read at once, in Postgres events. Of many leaves, so few that Node has no need to move them about while they are young; of few, so
 * many that a page costs little beside them, and that no read holds a snapshot for long.
 */
const [LEAST_AT_ONCE, MOST_AT_ONCE] = [1_024, 8_192];

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
  let [after, width] = [position, LEAST_AT_ONCE];
  for (let next = leaves.checked(after, width); ;) {
    const page = await next;
    const last = page.at(-1)?.position;
    if (last === undefined) return;
    width = widthFor(page.length, last - after);
    after = last;
    next = leaves.checked(after, width);
    // Whoever stops early never waits for it.
    next.catch(() => undefined);
    yield page;
  }
}

/** `leaves`: of so many positions before. */
const widthFor = (leaves: number, positions: bigint): number =>
  Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.ceil((LEAST_AT_ONCE * Number(positions)) / leaves)));
