import { type Hash, isSameHash, type TreeHashing } from './hashing.js';
import { type LeafRange, leftHalf } from './ranges.js';

/** A tree, by its number of leaves and its root. */
export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/**
 * The subtrees whose roots prove that a leaf is in a tree, beginning beside the leaf (RFC 6962, section 2.1.1). Null if the
 * tree has no such leaf.
 */
export function inclusionPath(index: number, size: number): readonly LeafRange[] | null {
  if (!isCount(index) || !isCount(size) || index >= size) return null;
  let [start, end] = [0, size];
  const path: LeafRange[] = [];
  while (end - start > 1) {
    const middle = start + leftHalf(end - start);
    path.push(index < middle ? { start: middle, end } : { start, end: middle });
    [start, end] = index < middle ? [start, middle] : [middle, end];
  }
  return path.reverse();
}

/** Whether `proof` shows that the leaf with this hash is the `index`th of the tree, counted from 0. */
export function isIncluded(
  leaf: { readonly hash: Hash; readonly index: number },
  tree: TreeHead,
  proof: readonly Hash[],
  hashing: TreeHashing,
): boolean {
  const path = inclusionPath(leaf.index, tree.size);
  if (path === null || path.length !== proof.length) return false;
  const root = proof.reduce(
    (hash, beside, at) => (path[at]!.end <= leaf.index ? hashing.node(beside, hash) : hashing.node(hash, beside)),
    leaf.hash,
  );
  return isSameHash(root, tree.root);
}

/**
 * The subtrees whose roots prove that a tree of `old` leaves is the beginning of one of `size` (RFC 6962, section 2.1.2). If
 * the first one ends at `old`, it is the part of the old tree from which the proof is folded; otherwise that is all of the old
 * tree, whose root the verifier knows. Null if the old tree has more leaves.
 */
export function consistencyPath(old: number, size: number): readonly LeafRange[] | null {
  if (!isCount(old) || !isCount(size) || old > size) return null;
  if (old === 0) return [];
  let [start, end] = [0, size];
  const path: LeafRange[] = [];
  while (end !== old) {
    const middle = start + leftHalf(end - start);
    path.push(old <= middle ? { start: middle, end } : { start, end: middle });
    [start, end] = old <= middle ? [start, middle] : [middle, end];
  }
  if (start > 0) path.push({ start, end });
  return path.reverse();
}

/** Whether `proof` shows that the new tree begins with all leaves of the old one. Every tree begins with the empty one. */
export function isConsistent(old: TreeHead, now: TreeHead, proof: readonly Hash[], hashing: TreeHashing): boolean {
  const path = consistencyPath(old.size, now.size);
  if (path === null || path.length !== proof.length) return false;
  if (old.size === 0) return isSameHash(old.root, hashing.empty);
  const beginsInside = path.length > 0 && path[0]!.end === old.size;
  const roots = rootsOf(old, path.slice(beginsInside ? 1 : 0), beginsInside ? proof : [old.root, ...proof], hashing);
  return isSameHash(roots.old, old.root) && isSameHash(roots.now, now.root);
}

/** The roots of both trees by a proof. What is to the left of the old tree's end is in both. */
function rootsOf(
  { size }: TreeHead,
  path: readonly LeafRange[],
  [seed, ...proof]: readonly Hash[],
  { node }: TreeHashing,
): { readonly old: Hash; readonly now: Hash } {
  let [old, now] = [seed!, seed!];
  proof.forEach((beside, at) => {
    if (path[at]!.end <= size) [old, now] = [node(beside, old), node(beside, now)];
    else now = node(now, beside);
  });
  return { old, now };
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
