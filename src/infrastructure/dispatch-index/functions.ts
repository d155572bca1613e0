import { functionsBeside } from '../database/sql.js';

/** The functions of the dispatch index, a folder for each part of it. All but the picks are called under the log lock. */
export const DISPATCH_INDEX_FUNCTIONS = functionsBeside(import.meta.url, [
  // A queue's row, its failures in a row, and who waits for it.
  'queues/withheld',
  'queues/write-queue',
  'queues/count-failure',
  'queues/others-changed',
  'queues/awaiting',
  'queues/queue-problem',
  // The places of a key: the task that runs, the one that is ready, the one that waits, and the line behind them.
  'keys/key-holder',
  'keys/key-blocker',
  'keys/take-place',
  'keys/put-back',
  'keys/keep-order',
  'keys/overtake',
  'keys/occupy-key',
  'keys/leave-line',
  'keys/next-of-key',
  // What becomes of one task: every move that is not on the fast path of an append.
  'tasks/make-ready',
  'tasks/offer',
  'tasks/withdraw',
  'tasks/promote',
  'tasks/move',
  'tasks/settle-move',
  'idempotency/recorded-answer',
  'idempotency/take-key',
  'idempotency/key-under-way',
  'idempotency/remember',
  'claims/pick',
  'claims/pick-task',
  'claims/gate',
]);
