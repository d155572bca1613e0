import type { Hash, TreeHashing } from './hashing.js';
import { rootOfParts } from './ranges.js';

/** The root of a tree that grows by its leaves, or by subtrees of them, in 53 hashes at most. It can prove nothing: that needs tiles. */
export class CompactRange {
  /** The roots of its complete parts, from left to right. */
  private readonly parts: Hash[] = [];
  private leaves = 0;

  constructor(private readonly hashing: TreeHashing) {}

  get size(): number {
    return this.leaves;
  }

  /** `width`: of a complete subtree, of which the tree has a whole number so far. */
  add(subtree: Hash, width = 1): void {
    this.leaves += width;
    let hash = subtree;
    for (let count = this.leaves / width; count % 2 === 0; count /= 2)
      hash = this.hashing.node(this.parts.pop()!, hash);
    this.parts.push(hash);
  }

  root(): Hash {
    return rootOfParts(this.parts, this.hashing);
  }
}
