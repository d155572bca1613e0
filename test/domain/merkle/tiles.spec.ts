import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompactRange } from '../../../src/domain/merkle/compact-range.js';
import { GrowingTree, type Tile } from '../../../src/domain/merkle/growing-tree.js';
import { consistencyPath, inclusionPath } from '../../../src/domain/merkle/proofs.js';
import { parseTilePath, tilePath, tilesOfTree } from '../../../src/domain/merkle/tile-paths.js';
import { rootInTiles, tilesFor, type Tiles } from '../../../src/domain/merkle/tiles.js';
import { hashing } from '../../../src/infrastructure/notary/node-signing.js';
import { hex, leafHashes, naiveRoot } from '../../support/tree-hashing.js';

const leaves = leafHashes(2_000);

/** Keeps the widest of each, as a log does. */
class Shelf {
  private readonly tiles = new Map<string, Tile>();

  readonly read: Tiles = (level, index) => this.tiles.get(`${level} ${index}`)?.hashes;

  put(tiles: readonly Tile[]): this {
    for (const tile of tiles) this.tiles.set(`${tile.level} ${tile.index}`, tile);
    return this;
  }

  paths(): readonly string[] {
    return [...this.tiles.values()].map(tilePath).sort();
  }
}

function grown(size: number) {
  const tree = new GrowingTree(hashing);
  for (const leaf of leaves.slice(0, size)) tree.add(leaf);
  return { tree, shelf: new Shelf().put(tree.takeTiles()) };
}

describe('the path of a tile', () => {
  it.each([
    ['tile/0/x001/x234/067', { level: 0, index: 1_234_067, width: 256 }],
    ['tile/2/000.p/1', { level: 2, index: 0, width: 1 }],
    ['tile/entries/x001/000.p/255', { level: 'entries', index: 1_000, width: 255 }],
    ['tile/63/999', { level: 63, index: 999, width: 256 }],
  ] as const)('is %s', (path, place) => {
    expect(tilePath(place)).toBe(path);
    expect(parseTilePath(path)).toEqual(place);
  });

  it.each([
    'tile/00/000',
    'tile/64/000',
    'tile/0/x000/000',
    'tile/0/1',
    'tile/0/001/002',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/07',
    'tile/0/x999/x999/x999/x999/x999/999',
    'tile/0/000/',
    'tile/-1/000',
    '../tile/0/000',
  ])('is not %s', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  it('is told for each tile of a tree of 70,000 leaves, as the specification counts them', () => {
    const tiles = tilesOfTree(70_000);
    const widths = (level: number) => tiles.filter((one) => one.level === level).map(({ width }) => width);
    expect(widths(0)).toEqual([...new Array<number>(273).fill(256), 112]);
    expect([widths(1), widths(2), widths(3)]).toEqual([[256, 17], [1], []]);
    expect(tilesOfTree(256).map(tilePath)).toEqual(['tile/0/000', 'tile/1/000.p/1']);
    expect(tilesOfTree(0)).toEqual([]);
  });
});

describe('a tree that grows', () => {
  it('has the root of the definition and the tiles of its size, at every size to 2,000', () => {
    const [tree, range, shelf] = [new GrowingTree(hashing), new CompactRange(hashing), new Shelf()];
    for (const leaf of leaves) {
      tree.add(leaf);
      range.add(leaf);
      shelf.put(tree.takeTiles());
      const { size } = range;
      expect([size, tree.size, hex(tree.root())]).toEqual([size, size, hex(range.root())]);
      expect(shelf.paths()).toEqual(tilesOfTree(size).map(tilePath).sort());
    }
    expect(hex(tree.root())).toBe(hex(naiveRoot(leaves)));
  });

  it('goes on from its last tiles as if it had never stopped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_999 }), fc.nat(600), (size, more) => {
        const { shelf } = grown(size);
        const next = new GrowingTree(hashing, size, shelf.read);
        for (const leaf of leaves.slice(size, size + more)) next.add(leaf);
        const end = Math.min(leaves.length, size + more);
        expect([next.size, hex(next.root())]).toEqual([end, hex(naiveRoot(leaves.slice(0, end)))]);
        expect(shelf.put(next.takeTiles()).paths()).toEqual(tilesOfTree(end).map(tilePath).sort());
      }),
      { numRuns: 30 },
    );
  });

  it('goes on with tiles that are wider by now, and not without its last tile', () => {
    const { shelf } = grown(700);
    const before = new GrowingTree(hashing, 600, shelf.read);
    expect(hex(before.root())).toBe(hex(naiveRoot(leaves.slice(0, 600))));
    expect(() => new GrowingTree(hashing, 1_000, shelf.read)).toThrow('Expected a tile tile/0/003.p/232, but it lacks');
  });

  it('grows over two levels', () => {
    const [tree, range] = [new GrowingTree(hashing), new CompactRange(hashing)];
    for (let at = 0; at < 65_536 + 300; at++) {
      tree.add(leaves[at % 2_000]!);
      range.add(leaves[at % 2_000]!);
    }
    expect(hex(tree.root())).toBe(hex(range.root()));
    expect(tree.takeTiles().map(tilePath).sort()).toEqual(tilesOfTree(65_836).map(tilePath).sort());
  });
});

describe('proofs from tiles', () => {
  it('are those of the definition, from the tiles that are named for them alone', () => {
    const size = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (size, index, old) => {
        const { shelf } = grown(size);
        const paths = [...inclusionPath(index % size, size)!, ...consistencyPath(old % (size + 1), size)!];
        const named = tilesFor(paths, size);
        const read: Tiles = (level, at) =>
          named.some((one) => one.level === level && one.index === at) ? shelf.read(level, at) : undefined;
        expect(named.map(tilePath).filter((path) => !shelf.paths().includes(path))).toEqual([]);
        expect(paths.map((range) => hex(rootInTiles(range, read, hashing)))).toEqual(
          paths.map(({ start, end }) => hex(naiveRoot(leaves.slice(start, end)))),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('are none without a tile', () => {
    expect(() => rootInTiles({ start: 256, end: 300 }, grown(290).shelf.read, hashing)).toThrow(
      'Expected 40 hashes in tile 1 of level 0, but there are 34',
    );
  });
});
