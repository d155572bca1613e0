import type { EnqueueOutcome, QueuedSubmission, TaskSubmission } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { assertOptions } from './call-options.js';
import type { CallOptions, Caller, CommandOptions } from './caller.js';
import { currentContext } from './context.js';
import { isoTime } from './given-options.js';
import { byteLength, encodeJson, jsonBytesAtMost } from './json.js';

/** The service's limit for one batch. */
const BATCH_ITEMS = 1_000;

/** Far below the limit of 4 MiB for a body, and below what proxies commonly allow. */
export const BODY_BYTES = 1_000_000;

/** The options of a task, besides its payload. */
export type EnqueueOptions = Omit<TaskSubmission, 'payload' | Times> & {
  /** Workers cannot claim the task before this time. */
  readonly dueAt?: Date | string;
  /** From this time on, no worker gets the task: if it still waits, it fails with the class `expired`. */
  readonly expiresAt?: Date | string;
  /** When the task should be done. Otherwise `TaskDeadlineMissed` tells it, and the task goes on. */
  readonly deadlineAt?: Date | string;
};

type Times = 'dueAt' | 'expiresAt' | 'deadlineAt';

/** A task of a batch. */
export type NewTask<Payload = unknown> = EnqueueOptions & { readonly payload?: Payload };

/** The submission in the form to send. It always has an id, so that the service recognises a repetition. */
export function submissionOf(task: NewTask): TaskSubmission & { id: string } {
  const { dueAt, expiresAt, deadlineAt, id = uuidv7(), context = currentContext() } = task;
  if (context !== undefined && task.context === undefined) return submissionOf({ ...task, id, context });
  const times = {
    dueAt: isoTime('dueAt', dueAt),
    expiresAt: isoTime('expiresAt', expiresAt),
    deadlineAt: isoTime('deadlineAt', deadlineAt),
  };
  return { ...task, ...times, id };
}

/**
 * The id of what a command creates, so that the service recognises a repetition. None beside the caller's own key, which
 * says which request this is: a repetition with another id would be another request.
 */
export const newId = (id: string | undefined, { idempotencyKey }: CommandOptions = {}): string | undefined =>
  id ?? (idempotencyKey === undefined ? uuidv7() : undefined);

/** Like `submissionOf`, for a request that names the queue of each task. */
export const queuedSubmissionOf = (task: NewTask, queue: string): QueuedSubmission & { id: string } =>
  Object.assign(submissionOf(task), { queue });

/** Like `queuedSubmissionOf`, of what a caller says in a list. */
export function queuedItemOf(task: NewTask, queue: string): QueuedSubmission & { id: string } {
  assertOptions('a task of enqueueMany', task);
  return queuedSubmissionOf(task, queue);
}

/** Enqueues any number of tasks, in requests that the service accepts. Returns one outcome per task, in order. */
export async function enqueueAll(
  caller: Caller,
  tasks: readonly QueuedSubmission[],
  options?: CallOptions,
): Promise<EnqueueOutcome[]> {
  if (tasks.length === 0) return [];
  return caller.config.telemetry.send({ queue: onlyQueueOf(tasks), count: tasks.length }, async () => {
    const outcomes: EnqueueOutcome[] = [];
    for (const chunk of chunks(tasks)) {
      const { results } = await caller.call('enqueueTasks', { body: { tasks: chunk } }, options);
      outcomes.push(...results);
    }
    return outcomes;
  });
}

const onlyQueueOf = ([first, ...others]: readonly QueuedSubmission[]): string | undefined =>
  others.every(({ queue }) => queue === first!.queue) ? first!.queue : undefined;

/**
 * Splits items into runs that fit one request. An item that is too large forms its own run, and the service refuses it.
 */
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

/** As many of the first items as fit, at least one. Computes their exact size only if the bound is too large. */
function fitting<T>(items: readonly T[], maxBytes: number): readonly T[] {
  if (items.reduce((bytes, item) => bytes + jsonBytesAtMost(item) + 1, 0) <= maxBytes) return items;
  let bytes = 0;
  const tooMany = items.findIndex((item) => (bytes += byteLength(encodeJson(item)) + 1) > maxBytes);
  return tooMany < 0 ? items : items.slice(0, Math.max(1, tooMany));
}
