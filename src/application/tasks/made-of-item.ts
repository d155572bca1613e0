import { changedData } from '../../domain/kernel/changed-data.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { sameContent } from '../../domain/kernel/json.js';
import { changedPrerequisites } from '../../domain/task/prerequisites.js';
import type { Submission } from '../../domain/task/task.events.js';
import { isStored } from '../kernel/outside-payloads.js';
import type { EnqueueItem } from './enqueue-item.js';

/** The fields for which the queue's policy has no default. */
const SAID = [
  'queue',
  'key',
  'reference',
  'labels',
  'description',
  'needs',
  'payload',
  'batch',
  'items',
  'plans',
  'deadlineAt',
] as const;

/**
 * Whether the event enqueued a task that agrees with everything the producer specified. The queue's policy supplied the
 * rest. A copy is that of its original, whatever the original has become since.
 */
export function isMadeOf({ type, data }: DomainEvent, item: EnqueueItem): boolean {
  if (type !== firstEventOf(item)) return false;
  const made = data as Submission;
  if (item.rerunOf !== undefined) return made.rerunOf?.task === item.rerunOf.task;
  if (item.kind !== undefined && item.kind !== made.kind) return false;
  if (item.priority !== undefined && item.priority !== (made.priority ?? 0)) return false;
  if (item.ttlMs !== undefined && item.ttlMs !== made.ttlMs) return false;
  if (item.ttlMs === undefined && made.ttlMs === undefined && made.expiresAt !== item.expiresAt) return false;
  if (item.steps !== undefined && !sameContent([...item.steps].sort(), [...(made.steps ?? [])].sort())) return false;
  if (!sameContent(made.data, item.data && changedData({}, item.data))) return false;
  const after = changedPrerequisites([], item.after ?? [], []);
  if (!sameContent(made.after ?? [], after)) return false;
  return isDueAsSaid(made, item) && SAID.every((name) => isAsSaid(made, item, name));
}

const isAsSaid = (made: Submission, item: EnqueueItem, name: (typeof SAID)[number]): boolean =>
  sameContent(made[name], item[name]) || (name === 'payload' && isPayloadOf(made, item));

/** Also if it is stored outside the log, or is the first of a list. */
const isPayloadOf = ({ payload: made }: Submission, { payload = null }: EnqueueItem): boolean =>
  isStored(made, payload) || sameContent(made, [payload]);

const firstEventOf = ({ prepared, rejected }: EnqueueItem): string => {
  if (rejected) return 'TaskEnqueueRejected';
  return prepared ? 'TaskPrepared' : 'TaskEnqueued';
};

const isDueAsSaid = ({ dueAt, byDueTimes, gathers }: Submission, item: EnqueueItem): boolean =>
  byDueTimes || gathers ? item.dueAt === undefined : dueAt === item.dueAt;
