import { describe, expect, it } from '@jest/globals';
import type { Refusal } from '../../../src/application/kernel/event-store.port.js';
import { rejectionOf } from '../../../src/application/kernel/rejection-of.js';

const TASK = { stream: 'task-t', key: 'k', reference: 'r' };
const BATCH = { stream: 'batch-b' };
const QUEUE = { stream: 'queue-mail' };
const BY = { by: 'ann', reason: 'night' };
const RECORDED = { fingerprint: '', answer: null, stream: 'task-t', revision: 0, position: '1' };

describe('the answer to a constraint that refused a command', () => {
  it.each<[Refusal, { readonly stream: string }, object]>([
    [{ constraint: 'queue-changed' }, TASK, { code: 'CONTENTION' }],
    [{ constraint: 'queue-not-empty' }, QUEUE, { code: 'QUEUE_NOT_EMPTY', queue: 'mail' }],
    [{ constraint: 'queue-awaited', queue: 'bill' }, QUEUE, { code: 'QUEUE_AWAITED', queue: 'mail', by: 'bill' }],
    [
      { constraint: 'key-waiting', taskId: 'u' },
      TASK,
      { code: 'KEY_ALREADY_WAITING', key: 'k', conflictingTaskId: 'u' },
    ],
    [{ constraint: 'key-busy', taskId: 'u' }, TASK, { code: 'KEY_BUSY', key: 'k', conflictingTaskId: 'u' }],
    [
      { constraint: 'reference', taskId: 'u', uniqueReference: 'open' },
      TASK,
      { code: 'REFERENCE_IN_USE', reference: 'r', conflictingTaskId: 'u', uniqueReference: 'open' },
    ],
    [
      { constraint: 'prerequisite-not-found', prerequisite: 'p', is: 'batch' },
      TASK,
      { code: 'PREREQUISITE_NOT_FOUND', prerequisite: 'p', is: 'batch' },
    ],
    [
      { constraint: 'prerequisite-dead', prerequisite: 'p', state: 'aborted' },
      TASK,
      { code: 'PREREQUISITE_DEAD', prerequisite: 'p', state: 'aborted' },
    ],
    [{ constraint: 'prerequisite-cycle', cycle: ['p', 't'] }, TASK, { code: 'PREREQUISITE_CYCLE', cycle: ['p', 't'] }],
    [{ constraint: 'graph-too-large', limit: 9 }, TASK, { code: 'GRAPH_TOO_LARGE', limit: 9 }],
    [{ constraint: 'batch-not-found', batch: 'b' }, TASK, { code: 'BATCH_NOT_FOUND', batch: 'b' }],
    [
      { constraint: 'batch-ended', batch: 'b', state: 'failed' },
      TASK,
      { code: 'BATCH_ENDED', batch: 'b', state: 'failed' },
    ],
    [{ constraint: 'task-awaited', taskId: 'u' }, TASK, { code: 'TASK_AWAITED', awaitedBy: 'u' }],
    [{ constraint: 'task-awaited', taskId: 'u' }, BATCH, { code: 'BATCH_AWAITED', awaitedBy: 'u' }],
    [{ constraint: 'id-taken' }, TASK, { code: 'TASK_EXISTS' }],
    [{ constraint: 'id-taken' }, BATCH, { code: 'BATCH_EXISTS' }],
    [{ constraint: 'draining', ...BY }, TASK, { code: 'DRAINING', ...BY }],
    [{ constraint: 'held', hold: 'h', ...BY }, TASK, { code: 'HOLD_IN_FORCE', hold: 'h', ...BY }],
    [{ constraint: 'too-large', bytes: 5, limit: 4 }, TASK, { code: 'EVENT_TOO_LARGE', bytes: 5, limit: 4 }],
  ])('%j of %j', (refusal, command, rejection) => expect(rejectionOf(refusal, command)).toEqual(rejection));

  it.each<Refusal>([
    { constraint: 'batch-differs', total: 3 },
    { constraint: 'lease' },
    { constraint: 'claim-repeated' },
    { constraint: 'leader' },
    { constraint: 'idempotency-key', recorded: RECORDED },
  ])('is an error for $constraint, which the command itself answers', (refusal) =>
    expect(() => rejectionOf(refusal, TASK)).toThrow(
      `Expected 'task-t' to meet no constraint '${refusal.constraint}', but it did`,
    ),
  );
});
