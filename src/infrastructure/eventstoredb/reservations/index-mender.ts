import { Logger } from '@nestjs/common';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { inTransaction } from '../../database/transaction.js';
import { openCheckpoint } from '../../projection-engine/checkpoint.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { TransactionLog } from '../log/transaction-log.js';
import { countGaps } from './gap-counts.js';
import { knownRequest } from './index-revisions.js';
import { LogGaps, type MendedGaps } from './log-gaps.js';
import { applicable, isUnappliable } from './parked-streams.js';

/** Applies what the index lacks although its follower has passed it. */
export class IndexMender {
  private readonly logger = new Logger(`Follower ${INDEX_FOLLOWER}`);
  private readonly gaps: LogGaps;

  constructor(
    private readonly pool: PostgresPool,
    log: Pick<EventStoreDbLog, 'readStream'>,
    transactions: TransactionLog,
    private readonly wakeUps: WakeUps,
  ) {
    this.gaps = new LogGaps(pool, log, transactions);
  }

  /** Up to where the follower has come. */
  async reached(): Promise<bigint> {
    return (await openCheckpoint(this.pool, INDEX_FOLLOWER, 1)).position;
  }

  /** A page at a time. Returns false if what the streams have cannot be applied; the log says why. */
  async mend(streams: readonly string[]): Promise<boolean> {
    const reached = await this.reached();
    try {
      for (let applied: bigint | null = -1n; applied !== null;) applied = await this.mendOn(streams, reached, applied);
      return true;
    } catch (error) {
      if (!isUnappliable(error)) throw error;
      this.logger.error(
        `Expected to apply what the index lacks of '${streams.join("', '")}', but ${(error as Error).message}`,
      );
      return false;
    }
  }

  /** Up to where it applied a page; null if that was all, somebody else applies it, or the page before changed nothing. */
  private async mendOn(streams: readonly string[], reached: bigint, applied: bigint): Promise<bigint | null> {
    const mended = await this.gaps.upTo(reached, streams);
    const end = mended.steps.at(-1)?.position;
    if (end === undefined || end <= applied) return null;
    const isApplied = await this.apply(mended);
    if (isApplied) this.gaps.tell(mended);
    this.wakeUps.queueReady('*');
    return mended.isWhole || !isApplied ? null : end;
  }

  /** False if the follower has applied it meanwhile. */
  private apply({ steps, gaps, known }: MendedGaps): Promise<boolean> {
    return inTransaction(this.pool, async (connection) => {
      const { rows } = await connection.query('select waybill_mend($1, $2) is not null as applied', [
        JSON.stringify(applicable(steps)),
        knownRequest(known),
      ]);
      if (!(rows[0] as { readonly applied: boolean }).applied) return false;
      await countGaps(connection, gaps);
      return true;
    });
  }
}
