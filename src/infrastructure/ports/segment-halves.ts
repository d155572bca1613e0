import { Injectable } from '@nestjs/common';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import type { ErasedTask } from './erased-task.js';
import { type ErasedStream, StoredHalves } from './stored-halves.js';

/** In the table of segments, where a commitment takes the place of a half. */
@Injectable()
export class SegmentHalves extends StoredHalves {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async storedWhole(tasks: readonly ErasedTask[]): Promise<ReadonlySet<string>> {
    const halves = tasks.flatMap((task) => task.halves);
    if (halves.length === 0) return new Set();
    const { rows } = await this.pool.query<{ stream: string }>('select stream from waybill_stored_whole($1)', [
      halves.map(({ position }) => position),
    ]);
    return new Set(rows.map(({ stream }) => stream));
  }

  async erase(connection: PostgresConnection, tasks: readonly ErasedTask[]): Promise<readonly ErasedStream[]> {
    const halves = tasks.flatMap((task) => task.halves);
    const { rows } = await connection.query('select stream, halves from waybill_erase($1, $2)', [
      halves.map(({ position }) => position),
      halves.map(({ rest }) => rest),
    ]);
    return rows as ErasedStream[];
  }
}
