import { functionsBeside } from '../database/sql.js';
import { TASK_ROW } from './insert-task-rows.js';

/**
 * The functions of the dispatch index, in a folder for each part. All except the picks must be called under the log
 * lock.
 */
export const DISPATCH_INDEX_FUNCTIONS: readonly string[] = [
  TASK_ROW.create,
  ...functionsBeside(import.meta.url, [
    'queues/withheld',
    'queues/count-failure',
    'queues/blocks-keys',
    // The places of a key: the running task, the ready task, the waiting task, and the line behind them.
    'keys/key-occupant',
    'keys/key-blocker',
    'keys/take-place',
    'keys/put-back',
    'keys/keep-order',
    'keys/overtake',
    'keys/occupy-key',
    'keys/start-key',
    'keys/key-user',
    'keys/leave-line',
    'keys/next-of-key',
    'idempotency/recorded-answer',
    'idempotency/take-key',
    'idempotency/key-under-way',
    'idempotency/remember',
    // The checks of an append, for either event store: its conditions, and the constraints that follow from its events.
    'guards/queues-changed',
    'claims/end-leases',
    'guards/lease-stands',
    'guards/awaiting',
    'guards/guard-problem',
    'guards/unique-problem',
    'prerequisites/named-prerequisites',
    'prerequisites/prerequisite-state',
    'prerequisites/is-closed',
    'prerequisites/open-needs',
    'prerequisites/blockers',
    'prerequisites/prerequisite-cycle',
    'prerequisites/prerequisites-problem',
    'prerequisites/awaited-problem',
    'prerequisites/arrange',
    // For every aggregate with one row in the index.
    'rows/row-revision',
    'rows/write-row',
    // Changes of one task: every move that is not on the fast path of an append.
    'tasks/make-ready',
    'tasks/is-ready',
    'tasks/leave-lane',
    'tasks/offer',
    'prerequisites/unblock',
    'prerequisites/unblock-rest',
    'prerequisites/to-abort',
    'tasks/withdraw',
    'tasks/promote',
    'claims/start',
    'tasks/move',
    'tasks/settle-move',
    'claims/pick',
    'claims/pick-task',
    'claims/gate',
    'claims/split-lease',
    'claims/extend',
  ]),
];
