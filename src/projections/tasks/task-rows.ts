import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { type CutRows, cutRows, isCut } from '../kernel/cut-rows.js';
import type { Progress } from '../kernel/progress.js';
import { summaryOf, type JoinedColumns, type TaskSummary } from './task-view.js';
import { KnownTaskEntity, TaskEntity } from './task.entity.js';

/** Joins tasks with the dispatch index, their queues and their progress. A gate whose time has passed no longer counts. */
export const taskRows = (db: DataSource): SelectQueryBuilder<TaskEntity> => besides(db, TaskEntity);

/** The same of all tasks, also those in the archive. */
export const knownTaskRows = (db: DataSource): SelectQueryBuilder<KnownTaskEntity> => besides(db, KnownTaskEntity);

const besides = <Row extends TaskEntity>(db: DataSource, entity: new () => Row): SelectQueryBuilder<Row> =>
  db
    .createQueryBuilder(entity, 't')
    .leftJoin('waiting', 'w', 'w.task_id = t.taskId')
    .leftJoin('leases', 'l', 'l.id = t.lease')
    .leftJoin('task_progress', 'p', 'p.task_id = t.taskId')
    .innerJoin('queues', 'q', 'q.name = t.queue')
    .addSelect(
      `case when w.gate = 'blocked' then 'prerequisites' when w.gate = 'key' or w.gate = 'due' and w.due_at > now() then w.gate end`,
      'gate',
    )
    .addSelect(`case when exists (select from system where draining) then 'draining' else q.status end`, 'queue_status')
    .addSelect(STATE_NAME, 'state_name')
    .addSelect(`l.deadline - l.lease_ms * interval '1 millisecond'`, 'heartbeat_at')
    .addSelect('p.bars', 'bars')
    .addSelect('p.attempt', 'bars_attempt');

/** A task that is in a step is shown under its name, if its queue says so. */
const STATE_NAME = `coalesce(
  case when t.entered and t.state in ('pending', 'running') and (q.policy->>'stepsAsStates')::boolean then t.step end,
  q.policy->'vocabulary'->>t.state, t.state)`;

interface Raw {
  readonly gate: JoinedColumns['gate'];
  readonly queue_status: string;
  readonly state_name: string;
  readonly heartbeat_at: Date | null;
  readonly bars: Progress['bars'] | null;
  readonly bars_attempt: number | null;
}

export interface FoundTask<Row extends TaskEntity = TaskEntity> {
  readonly row: Row;
  readonly summary: TaskSummary;
  readonly progress: Progress | null;
}

export async function readTasks<Row extends TaskEntity>(
  rows: SelectQueryBuilder<Row>,
): Promise<readonly FoundTask<Row>[]> {
  const { raw, entities } = await rows.getRawAndEntities<Raw>();
  return entities.map((row, at) => foundTask(row, raw[at]!));
}

/** The tasks that `chosen` selects, as many as fit a page, in the same order. */
export async function readTaskPage(
  db: DataSource,
  chosen: SelectQueryBuilder<TaskEntity>,
  inOrder: (rows: SelectQueryBuilder<TaskEntity>) => SelectQueryBuilder<TaskEntity>,
): Promise<CutRows<FoundTask>> {
  const { raw, entities } = await inOrder(cutRows(taskRows(db), chosen, 'taskId')).getRawAndEntities<Raw>();
  return { rows: entities.map((row, at) => foundTask(row, raw[at]!)), isCut: isCut(raw) };
}

function foundTask<Row extends TaskEntity>(row: Row, raw: Raw): FoundTask<Row> {
  const beside = besideOf(raw);
  return { row, summary: summaryOf(row, beside), progress: beside.progress };
}

const besideOf = ({ gate, queue_status, state_name, heartbeat_at, bars, bars_attempt }: Raw): JoinedColumns => ({
  gate,
  queueStatus: queue_status,
  stateName: state_name,
  lastHeartbeatAt: heartbeat_at,
  progress: bars && { attempt: bars_attempt!, bars },
});
