import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { Drain } from '../../domain/system/system.events.js';

export interface SystemView {
  readonly state: 'running' | 'draining';
  /** Null unless the system drains. */
  readonly drain: (Drain & { readonly by: string; readonly reason: string | null; readonly since: string }) | null;
  /** The number of tasks that run. */
  readonly running: number;
  /** The number of tasks that shutdowns stopped and that are not resumed, and of those that wait for their key since. */
  readonly stopped: number;
  readonly notResumed: number;
}

export class GetSystem extends Query<SystemView> {}

interface Row {
  readonly draining: boolean | null;
  readonly intake: Drain['intake'];
  readonly running: Drain['running'];
  readonly reason: string | null;
  readonly begun_by: string;
  readonly begun_at: Date;
  readonly tasks: string;
  readonly stopped: string;
  readonly not_resumed: string;
}

@QueryHandler(GetSystem)
export class GetSystemHandler implements IQueryHandler<GetSystem> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<SystemView> {
    const [row] = await this.db.query<[Row]>(
      `select s.*, (select coalesce(sum(open), 0) from leases) as tasks,
         (select count(*) from tasks where stopped) as stopped,
         (select count(*) from tasks t where t.stopped and s.resume and t.position < s.position
            and waybill_unique_problem(t.task_id, t.queue, null, t.key) is not null) as not_resumed
       from (select) as one left join system s on true`,
    );
    const { intake, running, reason, begun_by: by, begun_at: begun } = row;
    const drain = row.draining ? { intake, running, reason, by, since: begun.toISOString() } : null;
    const counts = { running: Number(row.tasks), stopped: Number(row.stopped), notResumed: Number(row.not_resumed) };
    return { state: drain ? 'draining' : 'running', drain, ...counts };
  }
}
