import type { QueueView, TaskDetails } from '@waybill/client';

/** A queue in the fields of the system that it replaces. */
export const queueView = ({ id, name, description, policy, state, intake, createdAt, updatedAt }: QueueView) => ({
  id,
  external_id: id,
  name,
  description,
  max_retries: policy.onFailure === 'retry' ? (policy.retry.maxAttempts ?? 0) - 1 : 0,
  enforce_unique_reference: policy.uniqueReference !== 'off',
  is_active: state === 'active' && intake.open,
  created_at: createdAt,
  updated_at: updatedAt,
});

/** An item in the fields of the system that it replaces. */
export const itemView = (task: TaskDetails, queue: QueueView) => ({
  id: task.id,
  queue_id: queue.id,
  reference: task.reference,
  status: task.stateName,
  priority: task.priority,
  payload: task.payload,
  result: task.result,
  error_message: task.error?.message ?? null,
  retries: Math.max(0, task.attempt - 1),
  locked_by_robot_id: task.worker,
  locked_at: task.startedAt,
  created_at: task.enqueuedAt,
  updated_at: task.updatedAt,
});
