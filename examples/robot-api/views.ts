import type { QueueView, TaskDetails, TaskStatus, TaskSummary, TriggerView } from '@waybill/client';
import type { Status } from './requests.js';
import { NOTED, SUB_STATUS } from './status-changes.js';

/** Waybill's states, by the statuses that the preset gives them. */
export const STATES: Readonly<Record<Status, readonly TaskStatus[]>> = {
  NEW: ['prepared', 'pending', 'held'],
  IN_PROGRESS: ['running'],
  DONE: ['succeeded', 'superseded'],
  FAILED: ['undecided', 'failed', 'cancelled', 'aborted'],
  DELETED: ['deleted'],
};

/** Null of a trigger that starts no jobs of robots. */
export const typeOf = ({ task, cron, queue }: TriggerView): 'TIME' | 'QUEUE' | null => {
  if (task?.kind === undefined) return null;
  if (cron !== undefined) return 'TIME';
  return queue === undefined ? null : 'QUEUE';
};

/** A trigger in the fields of the system that it replaces. */
export const triggerView = (trigger: TriggerView, queueId: string | null) => ({
  name: trigger.name,
  type: typeOf(trigger),
  process: trigger.task!.kind,
  payload: trigger.task!.payload ?? null,
  queue_id: queueId,
  cron: trigger.cron ?? null,
  time_zone: trigger.timeZone ?? null,
  batch_size: trigger.batchSize ?? null,
  polling_interval: trigger.every ?? null,
  enabled: trigger.state === 'enabled',
  last_processed_item_id: trigger.lastItem,
  last_fired_at: trigger.last?.firedAt ?? null,
  next_fire_at: trigger.next[0] ?? null,
  error_message: trigger.failure?.problem.detail ?? null,
});

/** A queue in the fields of the system that it replaces. */
export const queueView = ({ id, name, description, policy, state, intake, createdAt, updatedAt }: QueueView) => ({
  id,
  external_id: id,
  name,
  description,
  max_retries: maxRetriesIn(policy),
  enforce_unique_reference: policy.uniqueReference !== 'off',
  is_active: state === 'active' && intake.open,
  created_at: createdAt,
  updated_at: updatedAt,
});

/** Null: without limit. The first attempt is no retry. */
const maxRetriesIn = ({ onFailure, retry: { maxAttempts } }: QueueView['policy']): number | null => {
  if (onFailure !== 'retry') return 0;
  return maxAttempts === null ? null : maxAttempts - 1;
};

/** An item of a list: what a list of tasks has without reading each one. */
export const itemSummary = (task: TaskSummary, queue: QueueView) => ({
  id: task.id,
  queue_id: queue.id,
  reference: task.reference,
  status: task.stateName,
  priority: task.priority,
  error_message: task.error?.message ?? null,
  retries: retriesOf(task),
  locked_by_robot_id: task.worker,
  locked_at: task.startedAt,
  created_at: task.enqueuedAt,
});

const retriesOf = ({ retries, labels }: TaskSummary | TaskDetails): number =>
  retries + Number(labels?.['imported-retries'] ?? 0);

/** An item in the fields of the system that it replaces. */
export const itemView = (task: TaskDetails, queue: QueueView) => ({
  id: task.id,
  queue_id: queue.id,
  reference: task.reference,
  key: task.key,
  status: task.stateName,
  priority: task.priority,
  payload: task.payload,
  result: task.data[NOTED.result] ?? task.result ?? task.error?.details ?? null,
  error_message: task.data[NOTED.error_message] ?? task.error?.message ?? null,
  retries: retriesOf(task),
  sub_status: task.data[SUB_STATUS] ?? task.labels?.['imported-status'] ?? null,
  locked_by_robot_id: task.worker,
  locked_at: task.startedAt,
  job_id: task.job,
  created_at: task.enqueuedAt,
  updated_at: task.updatedAt,
});
