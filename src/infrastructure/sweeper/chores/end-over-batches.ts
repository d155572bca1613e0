import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { EndBatches, type EndedBatch } from '../../../application/batches/end-batches.handler.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

/** The condition repeats that of the partial index `batches_over`, word by word. Otherwise Postgres does not use the index. */
const OVER = {
  name: 'waybill_over_batches',
  text: `select id, total, succeeded, failed, aborted, deleted from batches
    where state = 'reporting' or not settled and open = 0 and (state = 'running' or state = 'failed' and error is null
      and (re_runs = 'auto' or re_runs = 'rerun-batch' and succeeded > 0 and succeeded + deleted = total))
    limit $1`,
};

type Row = { readonly id: string } & EndedBatch['counts'];

/**
 * Ends the batches that have no open task (also if they never had one), failed ones again if tasks were retried or copies of them
 * have succeeded, and those that somebody has asked to report.
 */
@Injectable()
export class EndOverBatches implements Chore<EndedBatch> {
  readonly name = 'end batches';
  readonly idOf = ({ id }: EndedBatch) => id;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly EndedBatch[]> {
    const { rows } = await this.pool.query<Row>({ ...OVER, values: [limit] });
    return rows.map(({ id, ...counts }) => ({ id, counts }));
  }

  act(batches: readonly EndedBatch[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new EndBatches(batches, contextOfRound(term)));
  }
}
