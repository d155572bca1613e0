import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { summaryOf, type Gates, type TaskSummary } from './task-view.js';
import { TaskEntity } from './task.entity.js';

/** Joins tasks with the dispatch index and their queues. A gate whose time has passed no longer counts. */
export const taskRows = (db: DataSource): SelectQueryBuilder<TaskEntity> =>
  db
    .createQueryBuilder(TaskEntity, 't')
    .leftJoin('waiting', 'w', 'w.task_id = t.taskId')
    .innerJoin('queues', 'q', 'q.name = t.queue')
    .addSelect(`case when w.gate = 'key' or w.gate = 'due' and w.due_at > now() then w.gate end`, 'gate')
    .addSelect('q.status', 'queue_status')
    .addSelect(`coalesce(q.policy->'vocabulary'->>t.state, t.state)`, 'state_name');

interface RawGates {
  readonly gate: Gates['gate'];
  readonly queue_status: string;
  readonly state_name: string;
}

export interface FoundTask {
  readonly row: TaskEntity;
  readonly summary: TaskSummary;
}

export async function readTasks(rows: SelectQueryBuilder<TaskEntity>): Promise<readonly FoundTask[]> {
  const { raw, entities } = await rows.getRawAndEntities<RawGates>();
  return entities.map((row, at) => {
    const { gate, queue_status: queueStatus, state_name: stateName } = raw[at]!;
    return { row, summary: summaryOf(row, { gate, queueStatus, stateName }) };
  });
}
