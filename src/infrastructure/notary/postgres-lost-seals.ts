import { Injectable } from '@nestjs/common';
import { LostSeals } from '../../application/notary/lost-seals.port.js';
import type { LastSeal } from '../../domain/notary/notary.events.js';
import { parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** By what the notary tells in the database. */
@Injectable()
export class PostgresLostSeals extends LostSeals {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async lost(): Promise<LastSeal | null> {
    const { rows } = await this.pool.query<{ lost_seal: string | null }>('select lost_seal from notary');
    const seal = rows[0]?.lost_seal ?? null;
    if (seal === null) return null;
    const { origin: log, size, root } = parseCheckpoint(parseNote(seal).text);
    return { log, size, root: Buffer.from(root).toString('base64'), seal };
  }
}
