import type { TaskCommandType } from '../../domain/task/task.commands.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import { notOffered } from './offers.js';
import type { HoldRef, Submission } from '../../domain/task/task.events.js';
import type { QueueFacts, QueueState } from '../../domain/queue/queue.state.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { nextOccurrence } from '../queues/schedules.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { EnqueueItem } from './enqueue-item.js';
import { jsonBytesAtMost } from './json-size.js';

/** Why the queue does not take the task in; otherwise what is known of the queue. */
export function admission(item: EnqueueItem, state: QueueState): QueueFacts | QueueRejection | TaskRejection {
  if (state.status === 'unknown' || state.status === 'deleted') return { code: 'QUEUE_NOT_FOUND', queue: item.queue };
  if (state.status === 'finished') return { code: 'QUEUE_FINISHED', queue: item.queue };
  const { intake, policy } = state.queue;
  if (!intake.open) return { code: 'INTAKE_CLOSED', queue: item.queue, by: intake.by, reason: intake.reason };
  if (policy.keyRequired && item.key === undefined) return { code: 'KEY_REQUIRED', queue: item.queue };
  return notOffered(commandOf(item), policy, BEFORE) ?? tooLarge(item, policy.limits.payloadBytes) ?? state.queue;
}

const BEFORE = { status: 'unknown' } as const;

function commandOf({ prepared, hold }: EnqueueItem): TaskCommandType {
  if (prepared) return 'PrepareTask';
  return hold ? 'HoldTask' : 'EnqueueTask';
}

function tooLarge({ payload }: EnqueueItem, limit: number): QueueRejection | null {
  if (payload === undefined || jsonBytesAtMost(payload) <= limit) return null;
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  return bytes > limit ? { code: 'PAYLOAD_TOO_LARGE', bytes, limit } : null;
}

/**
 * The task as it will be stored: absent fields stay absent, because every byte of it is kept for ever. Assigned one by one:
 * spreading what may be absent takes three times as long.
 */
export function submissionOf(item: EnqueueItem, { policy }: QueueFacts, now: IsoTime): Submission {
  const submission: Open<Submission> = { queue: item.queue, kind: item.kind ?? 'task' };
  const priority = item.priority ?? policy.defaultPriority;
  if (item.key !== undefined) submission.key = item.key;
  if (item.reference !== undefined) submission.reference = item.reference;
  if (priority !== 0) submission.priority = priority;
  Object.assign(submission, dueTime(item, policy, now));
  if (item.labels !== undefined) submission.labels = item.labels;
  if (item.description !== undefined) submission.description = item.description;
  if (policy.steps.length > 0) submission.steps = policy.steps;
  if (item.payload !== undefined) submission.payload = item.payload;
  return submission;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

function dueTime(
  { dueAt }: EnqueueItem,
  { schedule }: QueuePolicy,
  now: IsoTime,
): Pick<Submission, 'dueAt' | 'bySchedule'> | null {
  if (dueAt !== undefined) return { dueAt };
  return schedule === null ? null : { dueAt: nextOccurrence(schedule, now), bySchedule: true };
}

export const holdRef = ({ hold }: EnqueueItem, by: string): HoldRef | null =>
  hold ? { by, ...(hold.reason !== undefined && { reason: hold.reason }) } : null;
