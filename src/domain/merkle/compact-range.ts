import type { Hash, TreeHashing } from './hashing.js';
import { rootOfParts } from './ranges.js';

/** A tree of so many leaves: the roots of the largest complete subtrees that it consists of, from left to right. */
export interface RangeParts {
  readonly size: number;
  readonly parts: readonly Hash[];
}

/** The root of a tree that grows by its leaves, or by subtrees of them, in 53 hashes at most. It can prove nothing: that needs tiles. */
export class CompactRange {
  /** The roots of its complete parts, from left to right. */
  private readonly roots: Hash[];
  private leaves: number;

  /** `from`: what it has already. */
  constructor(
    private readonly hashing: TreeHashing,
    from: RangeParts = { size: 0, parts: [] },
  ) {
    this.roots = [...from.parts];
    this.leaves = from.size;
  }

  get size(): number {
    return this.leaves;
  }

  /** From which the same tree goes on to grow. */
  parts(): RangeParts {
    return { size: this.leaves, parts: [...this.roots] };
  }

  /** `width`: of a complete subtree, of which the tree has a whole number so far. */
  add(subtree: Hash, width = 1): void {
    this.leaves += width;
    let hash = subtree;
    for (let count = this.leaves / width; count % 2 === 0; count /= 2)
      hash = this.hashing.node(this.roots.pop()!, hash);
    this.roots.push(hash);
  }

  root(): Hash {
    return rootOfParts(this.roots, this.hashing);
  }
}
