import { Injectable } from '@nestjs/common';
import type { IdempotencyKey, RecordedAnswer } from '../../application/kernel/event-store.port.js';
import { IdempotencyKeys, type UnrecordedAnswer } from '../../application/kernel/idempotency-keys.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

@Injectable()
export class PostgresIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async answerUnder({ key, item, fingerprint }: IdempotencyKey): Promise<RecordedAnswer | null> {
    const { rows } = await this.pool.query<{ recorded: RecordedAnswer | null }>({
      name: 'waybill_recorded_answer',
      text: 'select waybill_recorded_answer($1, $2, $3) as recorded',
      values: [key, item, fingerprint],
    });
    return rows[0]!.recorded;
  }

  async remember(answers: readonly UnrecordedAnswer[]): Promise<readonly (RecordedAnswer | null)[]> {
    const { rows } = await this.pool.query<{ recorded: RecordedAnswer | null }>({
      name: 'waybill_remember',
      text: 'select recorded from waybill_remember($1)',
      values: [JSON.stringify(answers)],
    });
    return rows.map(({ recorded }) => recorded);
  }
}
