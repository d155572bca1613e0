import { type Hash, HASH_BYTES, type TreeHashing } from './hashing.js';
import { type LeafRange, nodesOf, rootOfComplete, rootOfParts, type TreeNode } from './ranges.js';
import { TILE_HEIGHT, TILE_WIDTH, type TilePlace } from './tile-paths.js';

/** The hashes of a tile one after the other, or more of them than that; undefined if it is not there. */
export type Tiles = (level: number, index: number) => Uint8Array | undefined;

/** The tiles of a tree of `size` leaves that the roots of these ranges are made from, each once. */
export function tilesFor(ranges: readonly LeafRange[], size: number): readonly TilePlace[] {
  const places = ranges.flatMap(nodesOf).map((node) => {
    const { level, index } = tileOf(node);
    const hashes = Math.floor(size / TILE_WIDTH ** level);
    return { level, index, width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) };
  });
  return [...new Map(places.map((place) => [`${place.level} ${place.index}`, place])).values()];
}

/** The root of a subtree. Throws if a tile of it lacks or is too short. */
export const rootInTiles = (range: LeafRange, tiles: Tiles, hashing: TreeHashing): Hash =>
  rootOfParts(
    nodesOf(range).map((node) => hashInTiles(node, tiles, hashing)),
    hashing,
  );

function hashInTiles(node: TreeNode, tiles: Tiles, hashing: TreeHashing): Hash {
  const { level, index, from, width } = tileOf(node);
  const hashes = hashesIn(tiles(level, index) ?? new Uint8Array(0));
  if (hashes.length < from + width)
    throw new Error(
      `Expected ${from + width} hashes in tile ${index} of level ${level}, but there are ${hashes.length}`,
    );
  return rootOfComplete(hashes.slice(from, from + width), hashing);
}

/** The tile that has a node's root, or the hashes that it is made from. */
function tileOf({ level, index }: TreeNode) {
  const width = 2 ** (level % TILE_HEIGHT);
  const first = index * width;
  return {
    level: Math.floor(level / TILE_HEIGHT),
    index: Math.floor(first / TILE_WIDTH),
    from: first % TILE_WIDTH,
    width,
  };
}

export const hashesIn = (tile: Uint8Array): readonly Hash[] =>
  Array.from({ length: Math.floor(tile.length / HASH_BYTES) }, (_, at) =>
    tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

export function tileWith(hashes: readonly Hash[]): Uint8Array {
  const tile = new Uint8Array(hashes.length * HASH_BYTES);
  hashes.forEach((hash, at) => tile.set(hash, at * HASH_BYTES));
  return tile;
}
