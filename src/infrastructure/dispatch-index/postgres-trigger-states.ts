import { Injectable } from '@nestjs/common';
import { type StoredTrigger, TriggerStates } from '../../application/triggers/trigger-states.port.js';
import type { TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';
import { PostgresPool } from '../database/postgres-pool.js';

const COLUMNS = 'name, state, definition, next_at, failures, last_at, last_task, revision, position';

interface Row {
  readonly name: string;
  readonly state: KnownTrigger['status'];
  readonly definition: TriggerDefinition;
  readonly next_at: string | null;
  readonly failures: number;
  readonly last_at: string | null;
  readonly last_task: string;
  readonly revision: number;
  readonly position: string;
}

@Injectable()
export class PostgresTriggerStates extends TriggerStates {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async named(name: string): Promise<StoredTrigger | null> {
    const { rows } = await this.pool.query<Row>(
      `select ${COLUMNS} from triggers where name = $1 and state <> 'deleted'`,
      [name],
    );
    return rows[0] ? stored(rows[0]) : null;
  }

  /** Those whose occurrence, or next try after a failure, has come by the database's clock. */
  async due(limit: number): Promise<readonly StoredTrigger[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'waybill_due_triggers',
      text: `select ${COLUMNS} from triggers where next_at is not null and coalesce(retry_at, next_at) <= now()
          and not exists (select from system s where s.intake = 'closed')
        order by coalesce(retry_at, next_at) limit $1`,
      values: [limit],
    });
    return rows.map(stored);
  }
}

const stored = ({ name, state: status, definition, failures, revision, position, ...row }: Row): StoredTrigger => ({
  name,
  state: {
    status,
    definition,
    failures,
    next: row.next_at,
    last: row.last_at === null ? null : { occurrence: row.last_at, task: row.last_task },
  },
  revision,
  position: BigInt(position),
});
