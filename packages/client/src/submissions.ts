import type { EnqueueOutcome, QueuedSubmission, TaskSubmission } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import type { CallOptions, Caller } from './caller.js';
import { byteLength, encodeJson, jsonBytesAtMost } from './json.js';

/** The service's limit for one batch. */
const BATCH_ITEMS = 1_000;

/** Far below the service's limit of 16 MiB, and below what proxies commonly allow. */
export const BODY_BYTES = 1_000_000;

/** What may be said about a task beside its payload. */
export type EnqueueOptions = Omit<TaskSubmission, 'payload' | 'dueAt'> & {
  /** Not offered to workers before. */
  readonly dueAt?: Date | string;
};

/** A task of a batch. */
export type NewTask = EnqueueOptions & { readonly payload?: unknown };

/** The submission as it travels: always with an id, so that its repetition meets itself. */
export function submissionOf(task: NewTask): TaskSubmission & { id: string } {
  const { dueAt, id = uuidv7() } = task;
  if (!(dueAt instanceof Date)) return { ...task, dueAt, id };
  return { ...task, dueAt: dueAt.toISOString(), id };
}

/** As `submissionOf`, for a request that names the queue of each task. */
export const queuedSubmissionOf = (task: NewTask, queue: string): QueuedSubmission & { id: string } =>
  Object.assign(submissionOf(task), { queue });

/** Enqueues any number of tasks, in requests that the service accepts; one outcome per task, in their order. */
export async function enqueueAll(
  caller: Caller,
  tasks: readonly QueuedSubmission[],
  options?: CallOptions,
): Promise<EnqueueOutcome[]> {
  const outcomes: EnqueueOutcome[] = [];
  for (const chunk of chunks(tasks)) {
    const { results } = await caller.call('enqueueTasks', { body: { tasks: chunk } }, options);
    outcomes.push(...results);
  }
  return outcomes;
}

/** Runs of items that fit one request. An item that fits none travels alone, for the service to refuse. */
export function* chunks<T>(
  items: readonly T[],
  maxItems = BATCH_ITEMS,
  maxBytes = BODY_BYTES,
): Generator<readonly T[]> {
  for (let from = 0; from < items.length;) {
    const chunk = fitting(items.slice(from, from + maxItems), maxBytes);
    yield chunk;
    from += chunk.length;
  }
}

/** The first of the items that fit; at least one. Their exact size is asked only where it may be too much. */
function fitting<T>(items: readonly T[], maxBytes: number): readonly T[] {
  if (items.reduce((bytes, item) => bytes + jsonBytesAtMost(item) + 1, 0) <= maxBytes) return items;
  let bytes = 0;
  const tooMany = items.findIndex((item) => (bytes += byteLength(encodeJson(item)) + 1) > maxBytes);
  return tooMany < 0 ? items : items.slice(0, Math.max(1, tooMany));
}
