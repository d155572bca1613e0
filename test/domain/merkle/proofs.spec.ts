import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompactRange } from '../../../src/domain/merkle/compact-range.js';
import type { Hash } from '../../../src/domain/merkle/hashing.js';
import { consistencyPath, inclusionPath, isConsistent, isIncluded } from '../../../src/domain/merkle/proofs.js';
import type { LeafRange } from '../../../src/domain/merkle/ranges.js';
import { hashing } from '../../../src/infrastructure/notary/node-signing.js';
import { fromHex, hex, leafHashes, naiveRoot } from '../../support/tree-hashing.js';
import { CONSISTENCIES, INCLUSIONS, LEAVES, ROOTS } from './published-vectors.js';

const published = LEAVES.map((leaf) => hashing.leaf(fromHex(leaf)));
const leaves = leafHashes(140);

const headOf = (size: number, of = leaves) => ({ size, root: naiveRoot(of.slice(0, size)) });
const rootsIn = (path: readonly LeafRange[] | null, of = leaves): readonly Hash[] =>
  path!.map(({ start, end }) => naiveRoot(of.slice(start, end)));
const inclusion = (index: number, size: number, of = leaves) => rootsIn(inclusionPath(index, size), of);
const consistency = (old: number, size: number, of = leaves) => rootsIn(consistencyPath(old, size), of);

/** The proof with one bit changed, each hash left out, and one more at either end. */
function forgeries(proof: readonly Hash[]): readonly (readonly Hash[])[] {
  const flipped = (hash: Hash): Hash => hash.map((byte, at) => (at === 17 ? byte ^ 4 : byte));
  const changed = proof.flatMap((hash, at) => [proof.with(at, flipped(hash)), proof.toSpliced(at, 1)]);
  return [...changed, [...proof, leaves[0]!], [leaves[0]!, ...proof]];
}

/** Sizes of two trees of which the second may begin with the first. */
const SIZES = fc
  .tuple(fc.integer({ min: 1, max: 140 }), fc.integer({ min: 1, max: 140 }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const LEAF = fc.integer({ min: 1, max: 140 }).chain((size) => fc.tuple(fc.nat(size - 1), fc.constant(size)));

describe('the root', () => {
  it.each(ROOTS.map((root, size) => [size, root]))('of the published tree of %d leaves', (size, root) => {
    const range = new CompactRange(hashing);
    for (const leaf of published.slice(0, Number(size))) range.add(leaf);
    expect(hex(range.root())).toBe(root);
  });

  it('of every size up to 140 is that of the definition', () => {
    const range = new CompactRange(hashing);
    for (const leaf of leaves) {
      range.add(leaf);
      expect([range.size, hex(range.root())]).toEqual([range.size, hex(naiveRoot(leaves.slice(0, range.size)))]);
    }
  });

  it('takes no leaf for a node', () => {
    expect(hex(hashing.leaf(new Uint8Array([...leaves[0]!, ...leaves[1]!])))).not.toBe(hex(headOf(2).root));
  });
});

describe('an inclusion proof', () => {
  it.each(INCLUSIONS)('of leaf $index of the published tree of $size', ({ index, size, proof }) => {
    expect(inclusion(index, size, published).map(hex)).toEqual(proof);
    expect(isIncluded({ hash: published[index]!, index }, headOf(size, published), proof.map(fromHex), hashing)).toBe(
      true,
    );
  });

  it('shows each leaf of each tree', () => {
    fc.assert(
      fc.property(LEAF, ([index, size]) => {
        expect(isIncluded({ hash: leaves[index]!, index }, headOf(size), inclusion(index, size), hashing)).toBe(true);
      }),
    );
  });

  it('fits no other leaf, no other place, no other tree, and no other proof does', () => {
    fc.assert(
      fc.property(LEAF, fc.nat(139), ([index, size], other) => {
        fc.pre(other !== index);
        const [tree, proof] = [headOf(size), inclusion(index, size)];
        const hash = leaves[index]!;
        const wrong = [
          isIncluded({ hash: leaves[other]!, index }, tree, proof, hashing),
          isIncluded({ hash, index: other }, tree, proof, hashing),
          isIncluded({ hash, index }, { size, root: leaves[other]! }, proof, hashing),
          ...forgeries(proof).map((forged) => isIncluded({ hash, index }, tree, forged, hashing)),
        ];
        expect(wrong).toEqual(wrong.map(() => false));
      }),
    );
  });

  it.each([
    [0, 0],
    [1, 1],
    [-1, 1],
    [0.5, 1],
    [0, Number.NaN],
  ])('is none of leaf %d of %d', (index, size) => {
    expect(inclusionPath(index, size)).toBeNull();
    expect(isIncluded({ hash: leaves[0]!, index }, { size, root: leaves[0]! }, [], hashing)).toBe(false);
  });
});

describe('a consistency proof', () => {
  it.each(CONSISTENCIES)('from $old to $size leaves of the published tree', ({ old, size, proof }) => {
    expect(consistency(old, size, published).map(hex)).toEqual(proof);
    expect(isConsistent(headOf(old, published), headOf(size, published), proof.map(fromHex), hashing)).toBe(true);
  });

  it('shows that each tree begins with each smaller one', () => {
    fc.assert(
      fc.property(SIZES, ([old, size]) => {
        expect(isConsistent(headOf(old), headOf(size), consistency(old, size), hashing)).toBe(true);
      }),
    );
  });

  it('fits no other tree, and no other proof does', () => {
    fc.assert(
      fc.property(SIZES, fc.nat(139), ([old, size], at) => {
        const proof = consistency(old, size);
        const forked = leaves.with(at % old, leaves[(at % old) + 1] ?? leaves[0]!);
        const wrong = [
          isConsistent(headOf(old, forked), headOf(size), proof, hashing),
          isConsistent(headOf(old), headOf(size, forked), proof, hashing),
          isConsistent({ size: old, root: leaves[at]! }, headOf(size), proof, hashing),
          ...forgeries(proof).map((forged) => isConsistent(headOf(old), headOf(size), forged, hashing)),
        ].slice(old === 1 && at === 0 ? 3 : 0);
        expect(wrong).toEqual(wrong.map(() => false));
      }),
    );
  });

  it('of a fork is none, however the proof is made', () => {
    const forked = leaves.with(5, leaves[0]!);
    expect(isConsistent(headOf(7), headOf(20, forked), consistency(7, 20, forked), hashing)).toBe(false);
  });

  it('goes not back, and begins with the empty tree only if that is empty', () => {
    expect(consistencyPath(3, 2)).toBeNull();
    expect(isConsistent(headOf(3), headOf(2), [], hashing)).toBe(false);
    expect(isConsistent(headOf(0), headOf(2), [], hashing)).toBe(true);
    expect(isConsistent({ size: 0, root: leaves[0]! }, headOf(2), [], hashing)).toBe(false);
    expect(isConsistent(headOf(0), headOf(2), [leaves[0]!], hashing)).toBe(false);
  });
});
