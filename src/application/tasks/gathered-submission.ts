import type { IsoTime } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { NotGathered } from '../../domain/queue/queue.rejections.js';
import { later } from '../../domain/task/event-parts.js';
import type { Submission } from '../../domain/task/task.events.js';
import type { EnqueueItem } from './enqueue-item.js';

/** What makes a submission a task of its own, whatever waits: these say more of it than what it is about. */
const ALONE = ['dueAt', 'hold', 'prepared', 'rejected', 'batch', 'items', 'plans', 'rerunOf', 'needs'] as const;

/** Why the submission is not gathered; null if it is. */
export function aloneBecause(item: EnqueueItem, { duplicatePending }: QueuePolicy): NotGathered | null {
  if (duplicatePending !== 'gather') return 'duplicatePending';
  if (item.key === undefined) return 'key';
  if (item.after !== undefined && item.after.length > 0) return 'after';
  return ALONE.find((field) => item[field] !== undefined && item[field] !== false) ?? null;
}

/** When the task of a gathered submission is due, and until when others may move that. */
export function gatheringOf(
  { gather }: EnqueueItem,
  policy: QueuePolicy,
  now: IsoTime,
): Pick<Submission, 'dueAt' | 'gathers'> {
  const { quietMs, maxMs, payloads } = { ...policy.gather, ...gather };
  const gathers = { until: later(now, maxMs), ...(payloads === 'all' && { all: true as const }) };
  const waitMs = Math.min(quietMs, maxMs);
  return waitMs === 0 ? { gathers } : { gathers, dueAt: later(now, waitMs) };
}
