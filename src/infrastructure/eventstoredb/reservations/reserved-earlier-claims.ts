import type { EarlierClaim } from '../../../application/claims/claim-source.port.js';
import { type EventStore, EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { earlierClaim } from '../../dispatch-index/earlier-claims.js';
import type { IndexProgress } from './index-progress.js';
import { INDEX_MS } from './reservation-retry.js';

/**
 * A claim's leases exist before the claim is recorded. A repeated claim waits until the outcome is known, or is told to
 * try again.
 */
export async function recordedEarlierClaim(
  pool: PostgresPool,
  store: Pick<EventStore, 'readFirst'>,
  index: Pick<IndexProgress, 'moved'>,
  claimId: string,
): Promise<EarlierClaim | null> {
  const until = performance.now() + INDEX_MS;
  while (await isUnderWay(pool, claimId)) {
    if (performance.now() > until)
      throw new EventStoreUnavailable('Expected to know which tasks the claim got, but it is still being recorded');
    await index.moved();
  }
  return earlierClaim(pool, store, claimId);
}

async function isUnderWay(pool: PostgresPool, claimId: string): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'waybill_claim_under_way',
    text: `select 1 from leases l cross join lateral unnest(l.tasks) as u(task)
      join reservations r on r.stream = u.task and r.lease = l.id where l.claim_id = $1 limit 1`,
    values: [claimId],
  });
  return rows.length > 0;
}
