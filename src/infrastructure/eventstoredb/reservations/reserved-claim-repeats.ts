import type { ClaimAnswer, ClaimRequest } from '../../../application/claims/task-claimer.port.js';
import { type EventStore, EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { ClaimRepeats } from '../../dispatch-index/claim-repeats.js';
import type { IndexProgress } from './index-progress.js';
import { INDEX_MS } from './reservation-retry.js';

/** A claim's leases stand before it is recorded: whoever repeats it is answered when it is known what became of it, or told to come again. */
export class ReservedClaimRepeats extends ClaimRepeats {
  constructor(
    pool: PostgresPool,
    store: EventStore,
    private readonly index: IndexProgress,
  ) {
    super(pool, store);
  }

  protected override async answerTo(request: ClaimRequest): Promise<ClaimAnswer | null> {
    const until = performance.now() + INDEX_MS;
    while (await this.isUnderWay(request.claimId)) {
      if (performance.now() > until)
        throw new EventStoreUnavailable('Expected to know what the claim was granted, but it is still being recorded');
      await this.index.moved();
    }
    return super.answerTo(request);
  }

  private async isUnderWay(claimId: string): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'waybill_claim_under_way',
      text: `select 1 from claims c join leases l on l.token between c.first_token and c.last_token and l.claim_id = c.claim_id
        where c.claim_id = $1 and l.reservation is not null limit 1`,
      values: [claimId],
    });
    return rows.length > 0;
  }
}
