import { Injectable } from '@nestjs/common';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { type ReportedLines, TaskLog } from '../../application/claims/task-log.port.js';
import { LINES_OF_TASK } from '../../domain/kernel/log-line.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** Writes in the order of the key, so that two requests for the same tasks do not deadlock. */
const APPEND = `
insert into task_log (task_id, attempt, number, at, level, text, fields)
  select t.task_id, t.attempt, l.number, l.at, l.level, l.text, l.fields
  from unnest($1::uuid[], $2::bigint[], $3::jsonb[]) as p(task_id, token, lines)
  join tasks t on t.task_id = p.task_id and t.token = p.token
  cross join lateral jsonb_to_recordset(p.lines) as l(number int, at timestamptz, level text, text text, fields jsonb)
  order by t.task_id, l.number
  on conflict do nothing`;

const KEEP_THE_LAST = `
delete from task_log l using (select distinct unnest($1::uuid[]) as task_id) k
  where l.task_id = k.task_id and (l.attempt, l.number) <= (
    select o.attempt, o.number from task_log o where o.task_id = k.task_id
    order by o.attempt desc, o.number desc offset ${LINES_OF_TASK} limit 1)`;

@Injectable()
export class PostgresTaskLog extends TaskLog {
  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
  ) {
    super();
  }

  async append(reports: readonly ReportedLines[]): Promise<void> {
    const tasks = reports.map(({ taskId }) => taskId);
    const lines = reports.map((report) => JSON.stringify(report.lines));
    await this.pool.query(APPEND, [tasks, reports.map(({ token }) => token), lines]);
    await this.pool.query(KEEP_THE_LAST, [tasks]);
    for (const task of new Set(tasks)) this.wakeUps.taskSaid(task);
  }
}
