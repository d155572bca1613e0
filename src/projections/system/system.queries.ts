import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { Drain } from '../../domain/system/drain.events.js';

export interface SystemView {
  readonly state: 'running' | 'draining';
  /** Null unless the system drains. */
  readonly drain: (Drain & { readonly by: string; readonly since: string }) | null;
  /** The number of tasks that run. */
  readonly running: number;
  /** The number of tasks that a drain stopped and that are not resumed yet, and of those that cannot be. */
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
         (select count(*) from stopped where refusal is null) as stopped, (select count(*) from stopped where refusal is not null) as not_resumed
       from (select) as one left join system s on true`,
    );
    const { intake, running, reason, begun_by: by, begun_at: begun } = row;
    const drain = row.draining ? { intake, running, reason, by, since: begun.toISOString() } : null;
    const counts = { running: Number(row.tasks), stopped: Number(row.stopped), notResumed: Number(row.not_resumed) };
    return { state: drain ? 'draining' : 'running', drain, ...counts };
  }
}
