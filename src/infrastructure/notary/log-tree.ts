import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import { TermOver } from '../../application/kernel/leader-term.js';
import { GrowingTree, type Tile } from '../../domain/merkle/growing-tree.js';
import type { Hash } from '../../domain/merkle/hashing.js';
import type { LeafRange } from '../../domain/merkle/ranges.js';
import { borderOf, TILE_WIDTH, type TilePlace } from '../../domain/merkle/tile-paths.js';
import { hashesIn, rootInTiles, type Tiles, tilesFor } from '../../domain/merkle/tiles.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { inTransaction } from '../database/transaction.js';
import { hashing } from './node-signing.js';

/** How far the tree is: so many leaves, up to a position of the log. */
export interface TreeEnd {
  readonly size: number;
  readonly position: bigint;
}

const END = statement('waybill_log_tree', 'select size, position from log_tree');

const TILES = statement<{ levels: readonly number[]; indexes: readonly number[] }>(
  'waybill_seal_tiles',
  `select t.level, t.n, t.hashes from unnest(:levels::int[], :indexes::bigint[]) as w(level, n)
   join seal_tiles t on t.level = w.level and t.n = w.n`,
);

const TILE_OF = statement<{ position: string }>(
  'waybill_seal_tile_of',
  `select n, begins_after from seal_tiles where level = 0 and begins_after < :position order by begins_after desc limit 1`,
);

const BEGIN = 'insert into log_tree (size, position) values (0, 0) on conflict do nothing';

const MOVE = statement<{ role: string; epoch: string; before: number; size: number; position: string }>(
  'waybill_move_log_tree',
  `update log_tree set size = :size, position = :position where size = :before and waybill_leads(:role, :epoch)`,
);

const PUT = statement<{
  levels: readonly number[];
  indexes: readonly number[];
  hashes: readonly Uint8Array[];
  begins: readonly (string | null)[];
}>(
  'waybill_put_seal_tiles',
  `insert into seal_tiles as t (level, n, hashes, begins_after)
     select * from unnest(:levels::int[], :indexes::bigint[], :hashes::bytea[], :begins::bigint[])
   on conflict (level, n) do update set hashes = excluded.hashes`,
);

const EMPTY = statement<LeaderTerm>(
  'waybill_empty_log_tree',
  'update log_tree set size = 0, position = 0 where waybill_leads(:role, :epoch)',
);

/** Longer than anybody takes to fetch an export of a seal. */
const ALL_KEPT_DAYS = 30;
/** More than a seal adds, and than the days that may have become old while nobody sealed. */
const LOOKED_AT = 128;

/** Thins the older seals in the same statement: of those of a day, the last one stays. It looks only at the newest of the old ones, because all before were thinned as they were the newest. */
const KEEP = statement<{ log: number; size: number; position: string; root: Uint8Array; note: string }>(
  'waybill_keep_seal',
  `with old as (
     select log, size, made_at::date as day from seals where made_at < now() - interval '${ALL_KEPT_DAYS} days' order by made_at desc limit ${LOOKED_AT}
   ), followed as (
     select log, size, lead(day) over (partition by log order by size) = day as is_followed from old
   ), thinned as (
     delete from seals s using followed f where f.is_followed and s.log = f.log and s.size = f.size
   )
   insert into seals as s (log, size, position, root, note) values (:log, :size, :position, :root, :note)
   on conflict (log, size) do update set note = excluded.note where s.root = excluded.root and length(s.note) < length(excluded.note)`,
);

/** What a tree became by growing. */
export interface Growth extends TreeEnd {
  readonly tiles: readonly Tile[];
  /** Of each tile of leaves that was begun, by its index: the position of the leaf before its first one, or 0n. */
  readonly begins: ReadonlyMap<number, bigint>;
}

/** A seal as it is kept: of which of the logs that came one after another, and its text. */
export interface KeptNote {
  readonly log: number;
  readonly root: Hash;
  readonly note: string;
}

/** The tree of the log in the database. It follows from the log: emptied, it is made anew, and equal. */
export class LogTree {
  constructor(private readonly pool: PostgresPool) {}

  async end(): Promise<TreeEnd> {
    const { rows } = await this.pool.query<{ size: string; position: string }>(END.with({}));
    return rows[0] ? { size: Number(rows[0].size), position: BigInt(rows[0].position) } : { size: 0, position: 0n };
  }

  /** The tree of this size, to go on with. Throws if a tile at its border lacks. */
  async open(size: number): Promise<GrowingTree> {
    return new GrowingTree(hashing, size, await this.tiles(borderOf(size)));
  }

  /** Throws `TermOver` if somebody else leads, or the tree is not as large as it was before. */
  grow(term: LeaderTerm, before: number, growth: Growth): Promise<void> {
    const { size, position } = growth;
    return inTransaction(this.pool, async (db) => {
      await db.query(BEGIN);
      const moved = await db.query(MOVE.with({ ...term, before, size, position: String(position) }));
      if (moved.rowCount !== 1) throw new TermOver(term);
      await put(db, growth);
    });
  }

  /** The roots of subtrees of a tree of `size` leaves. Throws if a tile lacks. */
  async rootsOf(ranges: readonly LeafRange[], size: number): Promise<readonly Hash[]> {
    const tiles = await this.tiles(tilesFor(ranges, size));
    return ranges.map((range) => rootInTiles(range, tiles, hashing));
  }

  /** The hashes of so many leaves from a place on; undefined where the tree does not go so far. */
  async leafHashes(from: number, count: number): Promise<readonly (Hash | undefined)[]> {
    const [first, last] = [Math.floor(from / TILE_WIDTH), Math.floor((from + count - 1) / TILE_WIDTH)];
    const places = Array.from({ length: last - first + 1 }, (_, at) => ({
      level: 0,
      index: first + at,
      width: TILE_WIDTH,
    }));
    const tiles = await this.tiles(places);
    const hashes = places.map(({ index }) => hashesIn(tiles(0, index) ?? new Uint8Array(0)));
    return Array.from(
      { length: count },
      (_, at) => hashes[Math.floor((from + at) / TILE_WIDTH) - first]![(from + at) % TILE_WIDTH],
    );
  }

  /** The tile of leaves with the leaf of this position, and the position of the leaf before its first one. Throws if there is no tile. */
  async tileOf(position: bigint): Promise<{ readonly index: number; readonly after: bigint }> {
    const asked = TILE_OF.with({ position: String(position) });
    const { rows } = await this.pool.query<{ n: string; begins_after: string }>(asked);
    if (!rows[0]) throw new Error(`Expected a tile with the leaf of position ${position}, but there is none`);
    return { index: Number(rows[0].n), after: BigInt(rows[0].begins_after) };
  }

  /** It is made anew from the log. Throws `TermOver` if somebody else leads. */
  empty(term: LeaderTerm): Promise<void> {
    return inTransaction(this.pool, async (db) => {
      const emptied = await db.query(EMPTY.with(term));
      if (emptied.rowCount !== 1) throw new TermOver(term);
      await db.query('delete from seal_tiles');
    });
  }

  /** In place of one of the same log and size only if it has more signatures. */
  async keep({ size, position }: TreeEnd, { log, root, note }: KeptNote): Promise<void> {
    await this.pool.query(KEEP.with({ log, size, position: String(position), root: Buffer.from(root), note }));
  }

  private async tiles(places: readonly TilePlace[]): Promise<Tiles> {
    const [levels, indexes] = [places.map(({ level }) => Number(level)), places.map(({ index }) => index)];
    const { rows } = await this.pool.query<TileRow>(TILES.with({ levels, indexes }));
    const found = new Map(rows.map(({ level, n, hashes }) => [`${level} ${n}`, hashes]));
    return (level, index) => found.get(`${level} ${index}`);
  }
}

type TileRow = { readonly level: number; readonly n: string; readonly hashes: Uint8Array };

async function put(db: PostgresConnection, { tiles, begins: after }: Growth): Promise<void> {
  const levels = tiles.map(({ level }) => level);
  const indexes = tiles.map(({ index }) => index);
  const hashes = tiles.map((tile) => Buffer.from(tile.hashes));
  const begins = tiles.map(({ level, index }) => (level === 0 ? (after.get(index)?.toString() ?? null) : null));
  await db.query(PUT.with({ levels, indexes, hashes, begins }));
}
