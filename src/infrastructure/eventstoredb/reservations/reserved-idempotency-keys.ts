import {
  EventStoreUnavailable,
  type IdempotencyKey,
  type RecordedAnswer,
} from '../../../application/kernel/event-store.port.js';
import { IdempotencyKeys, type UnrecordedAnswer } from '../../../application/kernel/idempotency-keys.port.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { PostgresIdempotencyKeys } from '../../dispatch-index/postgres-idempotency-keys.js';
import type { IndexProgress } from './index-progress.js';
import { INDEX_MS } from './reservation-retry.js';

/**
 * A key that an append under way takes has no recorded answer yet. A repeated request waits for that answer, or fails
 * after a while.
 */
export class ReservedIdempotencyKeys extends IdempotencyKeys {
  constructor(
    private readonly pool: PostgresPool,
    private readonly taken: PostgresIdempotencyKeys,
    private readonly index: IndexProgress,
  ) {
    super();
  }

  async answerUnder(key: IdempotencyKey): Promise<RecordedAnswer | null> {
    const until = performance.now() + INDEX_MS;
    while (performance.now() < until && (await this.isReserved(key))) await this.index.moved();
    return this.taken.answerUnder(key);
  }

  async remember(answers: readonly UnrecordedAnswer[]): Promise<readonly (RecordedAnswer | null)[]> {
    const until = performance.now() + INDEX_MS;
    while (performance.now() < until) {
      const earlier = await this.taken.remember(answers);
      if (earlier.length === answers.length) return earlier;
      await this.index.moved();
    }
    throw new EventStoreUnavailable(
      'Expected to learn who takes an idempotency key, but the append under way does not end',
    );
  }

  private async isReserved({ key }: IdempotencyKey): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'waybill_key_reserved',
      text: `select 1 from reservations where idempotency is not null and idempotency->>'key' = $1 limit 1`,
      values: [key],
    });
    return rows.length > 0;
  }
}
