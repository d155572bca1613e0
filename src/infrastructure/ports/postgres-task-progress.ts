import { Injectable } from '@nestjs/common';
import { TaskProgress, type ReportedProgress } from '../../application/claims/task-progress.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** Writes in the order of the key, so that two requests for the same tasks do not deadlock. */
const RECORD = `
insert into task_progress (task_id, attempt, bars)
  select t.task_id, t.attempt, p.bars
  from unnest($1::uuid[], $2::bigint[], $3::jsonb[]) as p(task_id, token, bars)
  join tasks t on t.task_id = p.task_id and t.token = p.token
  order by t.task_id
  on conflict (task_id) do update set attempt = excluded.attempt, bars = excluded.bars`;

@Injectable()
export class PostgresTaskProgress extends TaskProgress {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async record(reports: readonly ReportedProgress[]): Promise<void> {
    const latest = [...new Map(reports.map((report) => [report.taskId, report])).values()];
    await this.pool.query(RECORD, [
      latest.map(({ taskId }) => taskId),
      latest.map(({ token }) => token),
      latest.map(({ bars }) => JSON.stringify(bars)),
    ]);
  }
}
