import type { OperationId } from '@waybill/client';
import type { Answer } from '../api/answer.js';
import type { Caller } from '../api/caller.js';
import type { ClaimOperations } from '../api/operations/claim.operations.js';
import type { EnqueueOperations } from '../api/operations/enqueue.operations.js';
import type { EventPages, HistoryOperations } from '../api/operations/history.operations.js';
import type { QueueOperations } from '../api/operations/queue.operations.js';
import type { SettlementOperations } from '../api/operations/settlement.operations.js';
import type { SystemOperations } from '../api/operations/system.operations.js';
import type { TaskListOperations } from '../api/operations/task-list.operations.js';
import type { TaskOperations } from '../api/operations/task.operations.js';
import type { TransactionOperations } from '../api/operations/transaction.operations.js';

export interface Operations {
  readonly queues: QueueOperations;
  readonly enqueueing: EnqueueOperations;
  readonly tasks: TaskOperations;
  readonly taskLists: TaskListOperations;
  readonly claims: ClaimOperations;
  readonly settlements: SettlementOperations;
  readonly transactions: TransactionOperations;
  readonly history: HistoryOperations;
  readonly system: SystemOperations;
}

/** What a call brings along, as it would arrive over HTTP. */
export interface Arrived {
  /** The queue's name or the task's id; empty for operations on neither. */
  readonly of: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

type Call = (operations: Operations, arrived: Arrived) => Promise<Answer<unknown>>;
type Stream = (operations: Operations, arrived: Arrived) => Promise<Answer<EventPages>>;

export type StreamId = 'readEvents' | 'followEvents';

export const STREAMS: Readonly<Record<StreamId, Stream>> = {
  readEvents: ({ history }, { query }) => history.readEvents(query),
  followEvents: ({ history }, { query, caller, signal }) => history.followEvents(query, caller, signal),
};

/**
 * Whose answers are made of JSON's own values, for this caller alone, and so need no copy: those that come by the thousand.
 * A copy of a granted task costs as much as claiming it.
 */
export const MADE_FOR_THE_CALLER: ReadonlySet<OperationId> = new Set([
  'enqueueTask',
  'enqueueTasks',
  'claimTasks',
  'settleTasks',
]);

/** An operation without a row does not compile. */
export const CALLS: Readonly<Record<Exclude<OperationId, StreamId>, Call>> = {
  defineQueue: ({ queues }, { of, body, caller }) => queues.defineQueue(of, body, caller),
  listQueues: ({ queues }, { query }) => queues.listQueues(query),
  getQueue: ({ queues }, { of, query }) => queues.getQueue(of, query),
  deleteQueue: ({ queues }, { of, query, caller }) => queues.deleteQueue(of, query, caller),
  getPolicy: ({ queues }, { of, query }) => queues.getPolicy(of, query),
  changePolicy: ({ queues }, { of, body, caller }) => queues.changePolicy(of, body, caller),
  pauseQueue: ({ queues }, { of, body, caller }) => queues.pauseQueue(of, body, caller),
  resumeQueue: ({ queues }, { of, body, caller }) => queues.resumeQueue(of, body, caller),
  closeIntake: ({ queues }, { of, body, caller }) => queues.closeIntake(of, body, caller),
  openIntake: ({ queues }, { of, body, caller }) => queues.openIntake(of, body, caller),
  finishQueue: ({ queues }, { of, body, caller }) => queues.finishQueue(of, body, caller),
  reopenQueue: ({ queues }, { of, body, caller }) => queues.reopenQueue(of, body, caller),
  getQueueStats: ({ queues }, { of, query }) => queues.getQueueStats(of, query),
  listFailedTasks: ({ taskLists }, { of, query }) => taskLists.listFailedTasks(of, query),
  enqueueTask: ({ enqueueing }, { of, body, caller }) => enqueueing.enqueueTask(of, body, caller),
  enqueueTasks: ({ enqueueing }, { body, caller }) => enqueueing.enqueueTasks(body, caller),
  listTasks: ({ taskLists }, { query }) => taskLists.listTasks(query),
  getTask: ({ tasks }, { of, query }) => tasks.getTask(of, query),
  getTaskExplanation: ({ tasks }, { of, query }) => tasks.getTaskExplanation(of, query),
  getTaskHistory: ({ tasks }, { of, query }) => tasks.getTaskHistory(of, query),
  submitTask: ({ tasks }, { of, body, caller }) => tasks.submitTask(of, body, caller),
  holdTask: ({ tasks }, { of, body, caller }) => tasks.holdTask(of, body, caller),
  releaseTask: ({ tasks }, { of, body, caller }) => tasks.releaseTask(of, body, caller),
  retryTask: ({ tasks }, { of, body, caller }) => tasks.retryTask(of, body, caller),
  decideTask: ({ tasks }, { of, body, caller }) => tasks.decideTask(of, body, caller),
  cancelTask: ({ tasks }, { of, body, caller }) => tasks.cancelTask(of, body, caller),
  abortTask: ({ tasks }, { of, body, caller }) => tasks.abortTask(of, body, caller),
  prioritiseTask: ({ tasks }, { of, body, caller }) => tasks.prioritiseTask(of, body, caller),
  rescheduleTask: ({ tasks }, { of, body, caller }) => tasks.rescheduleTask(of, body, caller),
  amendTask: ({ tasks }, { of, body, caller }) => tasks.amendTask(of, body, caller),
  overruleTask: ({ tasks }, { of, body, caller }) => tasks.overruleTask(of, body, caller),
  deleteTask: ({ tasks }, { of, query, caller }) => tasks.deleteTask(of, query, caller),
  claimTasks: ({ claims }, { of, body, caller, signal }) => claims.claimTasks(of, body, caller, signal),
  succeedTask: ({ settlements }, { of, body, caller }) => settlements.succeedTask(of, body, caller),
  failTask: ({ settlements }, { of, body, caller }) => settlements.failTask(of, body, caller),
  completeStep: ({ settlements }, { of, body, caller }) => settlements.completeStep(of, body, caller),
  reportError: ({ settlements }, { of, body, caller }) => settlements.reportError(of, body, caller),
  returnTask: ({ settlements }, { of, body, caller }) => settlements.returnTask(of, body, caller),
  confirmCancel: ({ settlements }, { of, body, caller }) => settlements.confirmCancel(of, body, caller),
  extendLease: ({ claims }, { of, body, caller }) => claims.extendLease(of, body, caller),
  settleTasks: ({ settlements }, { body, caller }) => settlements.settleTasks(body, caller),
  extendLeases: ({ claims }, { body, caller }) => claims.extendLeases(body, caller),
  runTransaction: ({ transactions }, { body, caller }) => transactions.runTransaction(body, caller),
  listQueueStats: ({ system }, { query }) => system.listQueueStats(query),
  listWorkers: ({ system }, { query }) => system.listWorkers(query),
  listProjections: ({ system }) => system.listProjections(),
};
