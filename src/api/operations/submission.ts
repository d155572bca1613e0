import type { EnqueueItem } from '../../application/tasks/enqueue-item.js';
import type { Json, JsonObject } from '../../domain/kernel/json.js';
import type { TaskSubmission } from '../dto/submission.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { prerequisitesOf } from './prerequisites.js';
import { isoTime } from './iso-time.js';

/** Why a queue does not accept a task, now or ever. */
export const SUBMISSION_REFUSALS = [
  'COMMAND_NOT_OFFERED',
  'QUEUE_NOT_FOUND',
  'QUEUE_FINISHED',
  'INTAKE_CLOSED',
  'DRAINING',
  'QUEUE_RESERVED',
  'TASK_EXISTS',
  'KEY_REQUIRED',
  'KIND_NOT_ACCEPTED',
  'STEP_UNKNOWN',
  'DATA_TOO_LARGE',
  'REFERENCE_IN_USE',
  'PRIORITY_NOT_TAKEN',
  'PAYLOAD_TOO_LARGE',
] as const;

/** `pointer`: the place of the task in the body. */
export function submissionItem(
  queue: string,
  { id, dueAt, expiresAt, deadlineAt, payload, data, after, ...rest }: TaskSubmission,
  pointer: string,
): EnqueueItem {
  assertOneEnd(expiresAt, rest.ttlMs, pointer);
  return {
    ...rest,
    queue,
    taskId: id ?? null,
    ...(dueAt !== undefined && { dueAt: isoTime(dueAt) }),
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    ...(deadlineAt !== undefined && { deadlineAt: isoTime(deadlineAt) }),
    ...(after !== undefined && { after: prerequisitesOf(after, `${pointer}/after`) }),
    ...(data !== undefined && { data: data as JsonObject }),
    ...(payload !== undefined && { payload: payload as Json }),
  };
}

/** Throws `InvalidInput`. */
export function assertOneEnd(expiresAt: string | undefined, ttlMs: number | undefined, pointer: string): void {
  if (expiresAt === undefined || ttlMs === undefined) return;
  const detail = `Expected 'expiresAt' or 'ttlMs', but both are given: ${expiresAt} and ${ttlMs}`;
  throw new InvalidInput([{ pointer: `${pointer}/ttlMs`, detail }]);
}
