import type { Hash, TreeHashing } from './hashing.js';

/** The leaves from `start` up to, but not including, `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The root of the 2^`level` leaves from `index` * 2^`level`. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** The leaves of the left half of a tree of `size` > 1 leaves: the largest power of two that is smaller. */
export function leftHalf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/**
 * The nodes that a range consists of, from left to right, if it is a subtree: those below complete nodes, and those at the
 * right border, whose nodes get smaller.
 */
export function nodesOf({ start, end }: LeafRange): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = start; at < end;) {
    let level = 0;
    while (2 ** (level + 1) <= end - at) level++;
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

/** The largest complete subtrees of any tree that a range consists of, from left to right. */
export function completeRanges({ start, end }: LeafRange): readonly LeafRange[] {
  const ranges: LeafRange[] = [];
  for (let at = start; at < end;) {
    let width = 1;
    while (at % (2 * width) === 0 && at + 2 * width <= end) width *= 2;
    ranges.push({ start: at, end: at + width });
    at += width;
  }
  return ranges;
}

/** The root of a tree whose complete parts, from left to right, have these roots. */
export function rootOfParts(parts: readonly Hash[], hashing: TreeHashing): Hash {
  if (parts.length === 0) return hashing.empty;
  return parts.reduceRight((right, left) => hashing.node(left, right));
}

/** The root of a complete tree: of 1, 2, 4, … leaves. */
export function rootOfComplete(hashes: readonly Hash[], { node }: TreeHashing): Hash {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, at) => node(level[2 * at]!, level[2 * at + 1]!));
  return level[0]!;
}
