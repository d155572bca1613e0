import { setTimeout as pause } from 'node:timers/promises';
import { WholeTransactions } from '../../projections/kernel/whole-transactions.port.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import type { LogTimes } from './log-times.port.js';

/** How often to look. A transaction is stored within some milliseconds, unless its process has died. */
const LOOK_MS = 20;

const OPEN = statement<{ ids: readonly string[] | null }>(
  'waybill_open_transactions',
  'select distinct transaction from reservations where transaction is not null and (:ids::uuid[] is null or transaction = any (:ids::uuid[]))',
);

/** A transaction has reservations until the rows have it. */
export class ReservedWholes extends WholeTransactions {
  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<LogTimes, 'transactionsAmid'>,
  ) {
    super();
  }

  async applied(position: bigint, timeoutMs: number): Promise<boolean> {
    if (!(await this.isAnyOpen(null))) return true;
    const amid = await this.log.transactionsAmid(position);
    for (const end = performance.now() + timeoutMs; ; await pause(LOOK_MS)) {
      if (amid.length === 0 || !(await this.isAnyOpen(amid))) return true;
      if (performance.now() > end) return false;
    }
  }

  private async isAnyOpen(ids: readonly string[] | null): Promise<boolean> {
    return (await this.pool.query(OPEN.with({ ids }))).rows.length > 0;
  }
}
