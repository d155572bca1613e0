import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { QuiesceSystem } from '../../../application/system/quiesce-system.handler.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

export const QUIESCED = {
  name: 'waybill_quiesced_drain',
  text: `select begun as since from waybill_quiesced_drain() as begun where begun is not null`,
};

interface Row {
  readonly since: string;
}

/** Records once a drain that nothing runs any more. */
@Injectable()
export class RecordEndOfDrain implements Chore<Row> {
  readonly name = 'record that nothing runs any more';
  readonly idOf = ({ since }: Row) => since;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(): Promise<readonly Row[]> {
    return (await this.pool.query<Row>(QUIESCED)).rows;
  }

  async act([drain]: readonly Row[], term: LeaderTerm): Promise<number> {
    await this.commands.execute(new QuiesceSystem(new Date(drain!.since).toISOString(), contextOfRound(term)));
    return 1;
  }
}
