/** A row of the hashes of a tree, as logs serve it (c2sp.org/tlog-tiles). */
export interface TilePlace {
  /** 0: hashes of leaves. Above: roots of the tiles of the level below. 'entries': the leaves themselves. */
  readonly level: number | 'entries';
  readonly index: number;
  /** How many there are: `TILE_WIDTH`, or fewer at the right border of the tree. */
  readonly width: number;
}

export const TILE_HEIGHT = 8;
export const TILE_WIDTH = 2 ** TILE_HEIGHT;

/** Such as `tile/0/x001/234/067.p/8`: below the address of the log. */
export function tilePath({ level, index, width }: TilePlace): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${name}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;

/** Null if the text is no path of a tile, or another text is the path of the same tile. */
export function parseTilePath(path: string): TilePlace | null {
  const [, level, name, width] = PATH.exec(path) ?? [];
  if (level === undefined || name === undefined) return null;
  const place: TilePlace = {
    level: level === 'entries' ? level : Number(level),
    index: Number(name.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  return isPlace(place) && tilePath(place) === path ? place : null;
}

const MOST_LEVELS = 64;

const isPlace = ({ level, index, width }: TilePlace): boolean =>
  (level === 'entries' || level < MOST_LEVELS) && Number.isSafeInteger(index) && width >= 1 && width <= TILE_WIDTH;

/** The tiles with the hashes of a tree. */
export function tilesOfTree(size: number): readonly TilePlace[] {
  return tileLevels(size).flatMap((hashes, level) =>
    Array.from({ length: Math.ceil(hashes / TILE_WIDTH) }, (_, index) => ({
      level,
      index,
      width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH),
    })),
  );
}

/** The last tile of each level of a tree, from the leaves up: those that are not full yet. */
export function borderOf(size: number): readonly TilePlace[] {
  return tileLevels(size).flatMap((hashes, level) =>
    hashes % TILE_WIDTH === 0 ? [] : [{ level, index: Math.floor(hashes / TILE_WIDTH), width: hashes % TILE_WIDTH }],
  );
}

/** How many hashes each level of tiles has, from the leaves up. */
export function tileLevels(size: number): readonly number[] {
  const levels: number[] = [];
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH)) levels.push(hashes);
  return levels;
}
