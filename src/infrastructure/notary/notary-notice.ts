import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';

const SEALS = statement<LeaderTerm & { key: string }>(
  'waybill_notary_seals',
  `insert into notary as n (key) select :key where waybill_leads(:role, :epoch)
   on conflict (is_only) do update set key = excluded.key, stopped_at = null, stopped_for = null
   where (n.key, n.stopped_for) is distinct from (excluded.key, null)`,
);

const MOST_CHARACTERS = 1_024;

const STOPS = statement<LeaderTerm & { reason: string }>(
  'waybill_notary_stops',
  `insert into notary as n (stopped_at, stopped_for)
     select clock_timestamp(), left(:reason, ${MOST_CHARACTERS}) where waybill_leads(:role, :epoch)
   on conflict (is_only) do update set stopped_at = coalesce(n.stopped_at, excluded.stopped_at), stopped_for = excluded.stopped_for
   where n.stopped_for is distinct from excluded.stopped_for`,
);

/** What the notary says of itself, for whoever asks any process. One whose term is over says nothing. */
export class NotaryNotice {
  /** What was said last, so that nothing is said twice. */
  private said: string | null = null;

  constructor(private readonly pool: Pick<PostgresPool, 'query'>) {}

  /** Somebody else may have said something since. */
  forget(): void {
    this.said = null;
  }

  /** That it seals, with this key, as verifiers take it. */
  async seals(term: LeaderTerm, key: string): Promise<void> {
    if (this.said === key) return;
    await this.pool.query(SEALS.with({ ...term, key }));
    this.said = key;
  }

  /** That it signs nothing, and why. A database that is away learns it in a later round. */
  async stops(term: LeaderTerm, reason: string): Promise<void> {
    this.forget();
    await this.pool.query(STOPS.with({ ...term, reason })).catch(() => undefined);
  }
}
