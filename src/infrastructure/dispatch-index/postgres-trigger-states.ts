import { Injectable } from '@nestjs/common';
import {
  type DueTrigger,
  type EmptyPoll,
  EVENT_TRIGGERS,
  type StoredTrigger,
  TriggerStates,
} from '../../application/triggers/trigger-states.port.js';
import { INDEX_FOLLOWER } from '../../projections/read-models.js';
import type { LeftOut, Owed, Skipped, TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';
import { PostgresPool } from '../database/postgres-pool.js';

const COLUMNS =
  'name, state, definition, next_at, owed, skipped, failures, last_at, last_task, up_to, revision, position';

interface Row {
  readonly name: string;
  readonly state: KnownTrigger['status'];
  readonly definition: TriggerDefinition;
  readonly next_at: string | null;
  readonly owed: Owed | null;
  readonly skipped: Skipped | null;
  readonly failures: number;
  readonly last_at: string | null;
  readonly last_task: string;
  readonly up_to: string | null;
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

  async all(): Promise<readonly StoredTrigger[]> {
    const { rows } = await this.pool.query<Row>(
      `select ${COLUMNS} from triggers where state <> 'deleted' order by name`,
    );
    return rows.map(stored);
  }

  /** Those whose occurrence, or next try after a failure, has come by the database's clock. */
  async due(limit: number): Promise<readonly DueTrigger[]> {
    const { rows } = await this.pool.query<Row & { readonly is_idle: boolean }>({
      name: 'waybill_due_triggers',
      text: `select ${COLUMNS}, ${IS_IDLE} as is_idle from triggers where next_at is not null and coalesce(retry_at, next_at) <= now()
          and not exists (select from events_put_aside a where a.follower = '${INDEX_FOLLOWER}' and a.line = name)
          and not exists (select from system s where s.intake = 'closed')
        order by coalesce(retry_at, next_at) limit $1`,
      values: [limit],
    });
    return rows.map((row) => ({ ...stored(row), isIdle: row.is_idle }));
  }

  async lost(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ line: string; error: string }>(
      'select line, error from events_put_aside where follower = $1',
      [INDEX_FOLLOWER],
    );
    return new Map(rows.map(({ line, error }) => [line, error]));
  }

  async owedEvents(name: string): Promise<LeftOut | null> {
    const { rows } = await this.pool.query<{ count: number; from: string; to: string }>(
      `select count(*)::int as count, min(at) as "from", max(at) as "to" from events_put_aside
         where follower = $1 and line = $2 and matched is not null`,
      [EVENT_TRIGGERS, name],
    );
    return rows[0]!.count === 0 ? null : rows[0]!;
  }

  /** A claim whose event is on its way has only leases. */
  async claimsMade(claimIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ claim_id: string }>({
      name: 'waybill_claims_made',
      text: `select claim_id from claims where claim_id = any ($1::uuid[]) union select claim_id from leases where claim_id = any ($1::uuid[])`,
      values: [claimIds],
    });
    return new Set(rows.map(({ claim_id: id }) => id));
  }

  async pollLater(polls: readonly EmptyPoll[]): Promise<void> {
    await this.pool.query({
      name: 'waybill_look_later',
      text: `update triggers t set next_at = l.next, retry_at = case when t.retry_at is not null then l.next end
        from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as l(name, "from", next) where t.name = l.name and t.next_at = l."from"`,
      values: [polls.map(({ trigger }) => trigger), polls.map(({ from }) => from), polls.map(({ next }) => next)],
    });
  }
}

/** Whether the queue of a queue trigger exists, but gives out nothing now. */
const IS_IDLE = `definition ? 'queue' and exists (
    select from queues q where q.name = definition->>'queue' and q.status not in ('deleted', 'finished')
      and (waybill_withheld(q) is not null or not waybill_may_give(q.name)))`;

const stored = ({
  name,
  state: status,
  definition,
  owed,
  skipped,
  failures,
  revision,
  position,
  ...row
}: Row): StoredTrigger => ({
  name,
  state: {
    status,
    definition,
    failures,
    next: row.next_at,
    owed,
    skipped,
    upTo: row.up_to === null ? null : String(row.up_to),
    last: row.last_at === null ? null : { occurrence: row.last_at, task: row.last_task },
  },
  revision,
  position: BigInt(position),
});
