import type { Hash, TreeHashing } from './hashing.js';
import { rootOfParts } from './ranges.js';

/** The root of a tree that grows by one leaf at a time, in 53 hashes at most. It can prove nothing: that needs tiles. */
export class CompactRange {
  /** The roots of its complete parts, from left to right. */
  private readonly parts: Hash[] = [];
  private leaves = 0;

  constructor(private readonly hashing: TreeHashing) {}

  get size(): number {
    return this.leaves;
  }

  add(leaf: Hash): void {
    this.leaves++;
    let hash = leaf;
    for (let width = this.leaves; width % 2 === 0; width /= 2) hash = this.hashing.node(this.parts.pop()!, hash);
    this.parts.push(hash);
  }

  root(): Hash {
    return rootOfParts(this.parts, this.hashing);
  }
}
