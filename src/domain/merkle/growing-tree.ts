import type { Hash, TreeHashing } from './hashing.js';
import { nodesOf, rootOfComplete, rootOfParts } from './ranges.js';
import { borderOf, TILE_WIDTH, tileLevels, tilePath, type TilePlace } from './tile-paths.js';
import { hashesIn, type Tiles, tileWith } from './tiles.js';

/** A tile and its hashes, one after the other. */
export interface Tile extends TilePlace {
  readonly level: number;
  readonly hashes: Uint8Array;
}

/** A tree that grows, by its tiles. It keeps only the last one of each level, which is not full yet. */
export class GrowingTree {
  /** The hashes of the last tile of each level, from the leaves up. */
  private readonly border: Hash[][];
  private readonly filled: Tile[] = [];
  private leaves: number;

  /** Goes on with a tree of `size` leaves. Throws if its last tiles lack. */
  constructor(
    private readonly hashing: TreeHashing,
    size = 0,
    tiles: Tiles = () => undefined,
  ) {
    this.leaves = size;
    this.border = tileLevels(size).map(() => []);
    for (const place of borderOf(size)) this.border[Number(place.level)] = lastOf(tiles, place);
  }

  get size(): number {
    return this.leaves;
  }

  add(leaf: Hash): void {
    this.leaves++;
    let hash = leaf;
    for (let level = 0; ; level++) {
      const hashes = (this.border[level] ??= []);
      hashes.push(hash);
      if (hashes.length < TILE_WIDTH) return;
      this.filled.push(this.tile(level, hashes));
      this.border[level] = [];
      hash = rootOfComplete(hashes, this.hashing);
    }
  }

  root(): Hash {
    const parts = this.border.toReversed().flatMap((hashes) => this.partsOf(hashes));
    return rootOfParts(parts, this.hashing);
  }

  /** The tiles that were filled since the last call, and those at the right border. */
  takeTiles(): readonly Tile[] {
    const open = this.border.flatMap((hashes, level) => (hashes.length > 0 ? [this.tile(level, hashes)] : []));
    return [...this.filled.splice(0), ...open];
  }

  private partsOf(hashes: readonly Hash[]): readonly Hash[] {
    const nodes = nodesOf({ start: 0, end: hashes.length });
    return nodes.map(({ level, index }) =>
      rootOfComplete(hashes.slice(index * 2 ** level, (index + 1) * 2 ** level), this.hashing),
    );
  }

  /** The last tile of a level. A leaf that fills it is counted already, so it begins before the last hash of the level. */
  private tile(level: number, hashes: readonly Hash[]): Tile {
    const before = Math.floor(this.leaves / TILE_WIDTH ** level) - hashes.length;
    return { level, index: before / TILE_WIDTH, width: hashes.length, hashes: tileWith(hashes) };
  }
}

function lastOf(tiles: Tiles, place: TilePlace): Hash[] {
  const hashes = hashesIn(tiles(Number(place.level), place.index) ?? new Uint8Array(0)).slice(0, place.width);
  if (hashes.length < place.width) throw new Error(`Expected a tile ${tilePath(place)}, but it lacks`);
  return [...hashes];
}
