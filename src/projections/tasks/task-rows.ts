import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { summaryOf, type Gates, type TaskSummary } from './task-view.js';
import { TaskEntity } from './task.entity.js';

/** Tasks with what the index and their queues say about them. A gate whose time has come no longer counts. */
export const taskRows = (db: DataSource): SelectQueryBuilder<TaskEntity> =>
  db
    .createQueryBuilder(TaskEntity, 't')
    .leftJoin('waiting', 'w', 'w.task_id = t.taskId')
    .innerJoin('queues', 'q', 'q.name = t.queue')
    .addSelect(`case when w.gate = 'key' or w.gate = 'due' and w.due_at > now() then w.gate end`, 'gate')
    .addSelect('q.status', 'queue_status');

export interface FoundTask {
  readonly row: TaskEntity;
  readonly summary: TaskSummary;
}

export async function readTasks(rows: SelectQueryBuilder<TaskEntity>): Promise<readonly FoundTask[]> {
  const { raw, entities } = await rows.getRawAndEntities<{ gate: Gates['gate']; queue_status: string }>();
  return entities.map((row, at) => {
    const { gate, queue_status: queueStatus } = raw[at]!;
    return { row, summary: summaryOf(row, { gate, queueStatus }) };
  });
}
