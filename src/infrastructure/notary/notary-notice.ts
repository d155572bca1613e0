import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import type { Audited } from './log-audit.js';
import { LogLost } from './log-lost.js';
import { WitnessRefused } from './witnesses.js';

const SEALS = statement<LeaderTerm & { key: string }>(
  'waybill_notary_seals',
  `insert into notary as n (key) select :key where waybill_leads(:role, :epoch)
   on conflict (is_only) do update set key = excluded.key, stopped_at = null, stopped_for = null, lost_seal = null
   where (n.key, n.stopped_for) is distinct from (excluded.key, null)`,
);

const MOST_CHARACTERS = 1_024;

const STOPS = statement<LeaderTerm & { reason: string; lost: string | null }>(
  'waybill_notary_stops',
  `insert into notary as n (stopped_at, stopped_for, lost_seal)
     select clock_timestamp(), left(:reason, ${MOST_CHARACTERS}), :lost::text where waybill_leads(:role, :epoch)
   on conflict (is_only) do update set stopped_at = coalesce(n.stopped_at, excluded.stopped_at), stopped_for = excluded.stopped_for,
     lost_seal = excluded.lost_seal
   where (n.stopped_for, n.lost_seal) is distinct from (excluded.stopped_for, excluded.lost_seal)`,
);

const REFUSED = statement<LeaderTerm>(
  'waybill_notary_refused',
  `insert into notary as n (witness_refusals) select 1 where waybill_leads(:role, :epoch)
   on conflict (is_only) do update set witness_refusals = n.witness_refusals + 1`,
);

const AUDITED = statement<LeaderTerm & { position: string; since: string; fault: string | null }>(
  'waybill_notary_audited',
  `update notary as n set audited_position = :position, audited_since = :since, fault_position = :fault::bigint
   where waybill_leads(:role, :epoch)`,
);

/** What the notary says of itself, for whoever asks any process. One whose term is over says nothing. */
export class NotaryNotice {
  /** What was said last, so that nothing is said twice. */
  private said: string | null = null;
  private told: string | null = null;

  constructor(private readonly pool: Pick<PostgresPool, 'query'>) {}

  /** Somebody else may have said something since. */
  forget(): void {
    this.said = null;
    this.told = null;
  }

  /** That it seals, with this key, as verifiers take it. */
  async seals(term: LeaderTerm, key: string): Promise<void> {
    if (this.said === key) return;
    await this.pool.query(SEALS.with({ ...term, key }));
    this.said = key;
  }

  /** That it signs nothing, and why. A database that is away learns it in a later round. */
  async stops(term: LeaderTerm, why: Error): Promise<void> {
    this.forget();
    const statements = [
      ...(why instanceof WitnessRefused ? [REFUSED.with(term)] : []),
      STOPS.with({ ...term, reason: why.message, lost: why instanceof LogLost ? why.seal : null }),
    ];
    for (const one of statements) await this.pool.query(one).catch(() => undefined);
  }

  /** How far it has read the texts again. */
  async audited(term: LeaderTerm, { position, since, fault }: Audited): Promise<void> {
    const told = [String(position), since.toISOString(), fault === null ? null : String(fault)] as const;
    if (this.told === told.join()) return;
    await this.pool.query(AUDITED.with({ ...term, position: told[0], since: told[1], fault: told[2] }));
    this.told = told.join();
  }

  /** Where the last audit found a fault that none has found mended since. */
  async fault(): Promise<bigint | null> {
    const { rows } = await this.pool.query<{ fault_position: string | null }>('select fault_position from notary');
    return rows[0]?.fault_position ? BigInt(rows[0].fault_position) : null;
  }
}
