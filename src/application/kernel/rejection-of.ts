import { BATCH_CATEGORY } from '../../domain/batch/batch.stream.js';
import { categoryOf, idOfStream } from '../../domain/aggregates.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { BatchRejection } from '../../domain/batch/batch.rejections.js';
import type { ApplicationRejection } from './application-error.js';
import type { Refusal } from './event-store.port.js';

export type ConstraintRejection = TaskRejection | QueueRejection | BatchRejection | ApplicationRejection;

/** What a command asked for that a refusal is about. */
export interface RefusedCommand {
  readonly stream: string;
  readonly key?: string | undefined;
  readonly reference?: string | undefined;
}

/**
 * What to tell the caller when a condition refused a command finally. It names every constraint, so that a new one does
 * not compile before it has an answer. Throws for a constraint that such a command does not meet, or answers itself.
 */
export function rejectionOf(refusal: Refusal, { stream, key, reference }: RefusedCommand): ConstraintRejection {
  switch (refusal.constraint) {
    case 'queue-changed':
      return { code: 'CONTENTION' };
    case 'queue-not-empty':
      return { code: 'QUEUE_NOT_EMPTY', queue: idOfStream(stream) };
    case 'queue-awaited':
      return { code: 'QUEUE_AWAITED', queue: idOfStream(stream), by: refusal.queue };
    case 'key-waiting':
      return { code: 'KEY_ALREADY_WAITING', key: key!, conflictingTaskId: refusal.taskId };
    case 'key-busy':
      return { code: 'KEY_BUSY', key: key!, conflictingTaskId: refusal.taskId };
    case 'reference':
      return {
        code: 'REFERENCE_IN_USE',
        reference: reference!,
        conflictingTaskId: refusal.taskId,
        uniqueReference: refusal.uniqueReference,
      };
    case 'prerequisite-not-found': {
      const { prerequisite, is } = refusal;
      return { code: 'PREREQUISITE_NOT_FOUND', prerequisite, ...(is && { is }) };
    }
    case 'prerequisite-dead':
      return { code: 'PREREQUISITE_DEAD', prerequisite: refusal.prerequisite, state: refusal.state };
    case 'prerequisite-cycle':
      return { code: 'PREREQUISITE_CYCLE', cycle: refusal.cycle };
    case 'graph-too-large':
      return { code: 'GRAPH_TOO_LARGE', limit: refusal.limit };
    case 'batch-not-found':
      return { code: 'BATCH_NOT_FOUND', batch: refusal.batch };
    case 'batch-ended':
      return { code: 'BATCH_ENDED', batch: refusal.batch, state: refusal.state };
    case 'task-awaited':
      return { code: isBatch(stream) ? 'BATCH_AWAITED' : 'TASK_AWAITED', awaitedBy: refusal.taskId };
    case 'id-taken':
      return { code: isBatch(stream) ? 'BATCH_EXISTS' : 'TASK_EXISTS' };
    case 'draining':
      return { code: 'DRAINING', by: refusal.by, reason: refusal.reason };
    case 'held':
      return { code: 'HOLD_IN_FORCE', hold: refusal.hold, by: refusal.by, reason: refusal.reason };
    case 'too-large':
      return { code: 'EVENT_TOO_LARGE', bytes: refusal.bytes, limit: refusal.limit };
    case 'batch-differs':
    case 'prerequisite-back':
    case 'lease':
    case 'claim-repeated':
    case 'idempotency-key':
    case 'leader':
      throw new Error(`Expected '${stream}' to meet no constraint '${refusal.constraint}', but it did`);
  }
}

const isBatch = (stream: string): boolean => categoryOf(stream) === BATCH_CATEGORY;
