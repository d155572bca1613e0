import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { entryBundle } from '../../domain/merkle/entry-bundle.js';
import { HASH_BYTES } from '../../domain/merkle/hashing.js';
import { TILE_WIDTH, type TilePlace } from '../../domain/merkle/tile-paths.js';
import { LeafTexts } from './leaf-texts.port.js';
import { LAST_SEAL, type SealRow } from './seal.js';

/** The last seal, as a note; null before the first one. */
export class GetCheckpoint extends Query<string | null> {}

/** The bytes of a tile (c2sp.org/tlog-tiles); null unless a seal covers all of it. They never change. */
export class GetTile extends Query<Uint8Array | null> {
  constructor(readonly place: TilePlace) {
    super();
  }
}

@QueryHandler(GetCheckpoint)
export class GetCheckpointHandler implements IQueryHandler<GetCheckpoint> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<string | null> {
    const [last] = await this.db.query<SealRow[]>(LAST_SEAL);
    return last?.note ?? null;
  }
}

interface Row {
  readonly hashes: Buffer;
  readonly begins_after: string | null;
}

@QueryHandler(GetTile)
export class GetTileHandler implements IQueryHandler<GetTile> {
  constructor(
    private readonly db: DataSource,
    private readonly leaves: LeafTexts,
  ) {}

  async execute({ place }: GetTile): Promise<Uint8Array | null> {
    const level = place.level === 'entries' ? 0 : place.level;
    if (!isWithin({ ...place, level }, await this.sealed())) return null;
    const [row] = await this.db.query<Row[]>(
      'select hashes, begins_after from seal_tiles where level = $1 and n = $2',
      [level, place.index],
    );
    if (!row) return null;
    return place.level === 'entries'
      ? this.entries(row, place.width)
      : row.hashes.subarray(0, place.width * HASH_BYTES);
  }

  private async sealed(): Promise<number> {
    const [last] = await this.db.query<SealRow[]>(LAST_SEAL);
    return Number(last?.size ?? 0);
  }

  private async entries({ begins_after }: Row, width: number): Promise<Uint8Array> {
    const leaves = await this.leaves.after(BigInt(begins_after!), width);
    return entryBundle(leaves.map(({ text }) => Buffer.from(text)));
  }
}

const isWithin = ({ level, index, width }: TilePlace & { level: number }, size: number): boolean =>
  index * TILE_WIDTH + width <= Math.floor(size / TILE_WIDTH ** level);
