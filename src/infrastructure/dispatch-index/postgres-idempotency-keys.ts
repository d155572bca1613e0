import { Injectable } from '@nestjs/common';
import type { IdempotencyKey } from '../../application/kernel/event-store.port.js';
import { IdempotencyKeys, type UnrecordedAnswer } from '../../application/kernel/idempotency-keys.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

@Injectable()
export class PostgresIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async holderOf({ key, item, fingerprint }: IdempotencyKey): Promise<string | null> {
    const { rows } = await this.pool.query<{ holder: string | null }>({
      name: 'waybill_key_holder_of',
      text: 'select waybill_idempotency_holder($1, $2, $3) as holder',
      values: [key, item, fingerprint],
    });
    return rows[0]!.holder;
  }

  async remember(answers: readonly UnrecordedAnswer[]): Promise<readonly (string | null)[]> {
    const rows = answers.map((answer) => ({ ...answer, position: String(answer.position) }));
    const { rows: taken } = await this.pool.query<{ holder: string | null }>({
      name: 'waybill_remember',
      text: 'select holder from waybill_remember($1)',
      values: [JSON.stringify(rows)],
    });
    return taken.map(({ holder }) => holder);
  }
}
