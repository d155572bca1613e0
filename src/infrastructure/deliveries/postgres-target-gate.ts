import { Injectable } from '@nestjs/common';
import { type Admission, type Entry, type Outcome, TargetGate } from '../../application/deliveries/target-gate.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** A table for all processes, whichever store has the events. */
@Injectable()
export class PostgresTargetGate extends TargetGate {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async enter({ target, delivery, most, ms, isHost }: Entry): Promise<Admission> {
    const { rows } = await this.pool.query<{ readonly admission: Admission }>(
      'select waybill_enter_target($1, $2, $3, $4, $5) as admission',
      [target, delivery, most, ms, isHost],
    );
    return rows[0]!.admission;
  }

  async leave({ target, delivery, most }: Entry, outcome: Outcome): Promise<void> {
    const error = outcome.kind === 'failed' ? outcome.error : null;
    await this.pool.query('select waybill_leave_target($1, $2, $3, $4, $5, $6)', [
      target,
      delivery,
      most,
      outcome.kind,
      error,
      outcome.ranMs,
    ]);
  }
}
