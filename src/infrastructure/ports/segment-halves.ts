import { Injectable } from '@nestjs/common';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import type { ErasedStream } from './erased-stream.js';
import { type ErasedCount, StoredHalves } from './stored-halves.js';

/** In the table of segments, where a commitment takes the place of a half. */
@Injectable()
export class SegmentHalves extends StoredHalves {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async storedWhole(streams: readonly ErasedStream[]): Promise<ReadonlySet<string>> {
    const halves = streams.flatMap((one) => one.halves);
    if (halves.length === 0) return new Set();
    const { rows } = await this.pool.query<{ stream: string }>('select stream from waybill_stored_whole($1)', [
      halves.map(({ position }) => position),
    ]);
    return new Set(rows.map(({ stream }) => stream));
  }

  async erase(connection: PostgresConnection, streams: readonly ErasedStream[]): Promise<readonly ErasedCount[]> {
    const halves = streams.flatMap((one) => one.halves);
    const { rows } = await connection.query('select stream, halves from waybill_erase($1, $2)', [
      halves.map(({ position }) => position),
      halves.map(({ rest }) => rest),
    ]);
    return rows as ErasedCount[];
  }
}
