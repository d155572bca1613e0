import type { EnqueueItem } from '../../application/tasks/enqueue-item.js';
import type { TaskSubmission } from '../dto/submission.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { prerequisitesOf } from './prerequisites.js';
import { isoTime } from './iso-time.js';
import { traceparentIn } from './traceparent.js';

/** Why a queue does not accept a task, now or ever. */
export const SUBMISSION_REFUSALS = [
  'COMMAND_NOT_OFFERED',
  'QUEUE_NOT_FOUND',
  'QUEUE_FINISHED',
  'INTAKE_CLOSED',
  'DRAINING',
  'QUEUE_RESERVED',
  'LABEL_RESERVED',
  'TASK_EXISTS',
  'KEY_REQUIRED',
  'KIND_NOT_ACCEPTED',
  'STEP_UNKNOWN',
  'DATA_TOO_LARGE',
  'REFERENCE_IN_USE',
  'PRIORITY_NOT_TAKEN',
  'NOT_GATHERED',
  'NEEDS_NOT_TAKEN',
  'PAYLOAD_TOO_LARGE',
  'PAYLOAD_INVALID',
  'PAYLOAD_DIGEST_MISMATCH',
] as const;

/**
 * `pointer`: the place of the task in the body. The members are taken over one by one: what is spread without some of them is a
 * dictionary, in which every look for an absent member took 30 ns, and there are twenty of them.
 */
export function submissionItem(queue: string, submission: TaskSubmission, pointer: string): EnqueueItem {
  const { id, expiresAt, ttlMs } = submission;
  assertOneEnd(expiresAt, ttlMs, pointer);
  const item: Record<string, unknown> & Pick<EnqueueItem, 'queue' | 'taskId'> = { queue, taskId: id ?? null };
  for (const name of Object.keys(submission)) {
    const value = submission[name as keyof TaskSubmission];
    if (value !== undefined && name !== 'id' && name !== 'queue') item[name] = taken(name, value, pointer);
  }
  return item;
}

function taken(name: string, value: unknown, pointer: string): unknown {
  switch (name) {
    case 'dueAt':
    case 'expiresAt':
    case 'deadlineAt':
      return isoTime(value as string);
    case 'after':
      return prerequisitesOf(value as NonNullable<TaskSubmission['after']>, `${pointer}/after`);
    case 'traceparent':
      return traceparentIn(value as string) ?? undefined;
    default:
      return value;
  }
}

/** Throws `InvalidInput`. */
export function assertOneEnd(expiresAt: string | undefined, ttlMs: number | undefined, pointer: string): void {
  if (expiresAt === undefined || ttlMs === undefined) return;
  const detail = `Expected 'expiresAt' or 'ttlMs', but both are given: ${expiresAt} and ${ttlMs}`;
  throw new InvalidInput([{ pointer: `${pointer}/ttlMs`, detail }]);
}
