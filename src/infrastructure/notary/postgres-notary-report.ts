import { Injectable } from '@nestjs/common';
import { NotaryReport } from '../../application/notary/notary-report.port.js';
import type { LastSeal, LogKey } from '../../domain/notary/notary.events.js';
import { parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import { nameInKey } from '../../domain/seals/note-key.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** By what the notary tells in the database. */
@Injectable()
export class PostgresNotaryReport extends NotaryReport {
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

  async key(): Promise<LogKey | null> {
    const asked = 'select key from notary where key is not null and lost_seal is null';
    const { rows } = await this.pool.query<{ key: string }>(asked);
    return rows[0] ? { log: nameInKey(rows[0].key), publicKey: rows[0].key } : null;
  }
}
