import { Injectable } from '@nestjs/common';
import { IdempotencyKeys } from '../../application/kernel/idempotency-keys.port.js';
import { PostgresPool } from '../persistence/postgres-pool.js';

@Injectable()
export class PostgresIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async holderOf(key: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ holder: string }>({
      name: 'waybill_idempotency_key',
      text: `select fingerprint || ' ' || stream || ' ' || revision || ' ' || position as holder
        from idempotency_keys where key = $1`,
      values: [key],
    });
    return rows[0]?.holder ?? null;
  }
}
