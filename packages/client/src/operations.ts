import type {
  ClaimResult,
  DefinitionReceipt,
  EnqueueResult,
  EventList,
  ExtendBatchResult,
  ExtendResult,
  ProjectionList,
  QueueList,
  QueuePolicy,
  QueueStats,
  QueueStatsList,
  QueueView,
  Receipt,
  SettleBatchResult,
  TaskBatchResult,
  TaskDetails,
  TaskExplanation,
  TaskPage,
  TransactionReceipt,
  WorkerList,
} from '@waybill/contracts';

/** What each operation answers with when it is not refused. The streams' answers are read with `Transport.open`. */
export interface Answers {
  defineQueue: DefinitionReceipt;
  listQueues: QueueList;
  getQueue: QueueView;
  deleteQueue: Receipt;
  getPolicy: QueuePolicy;
  changePolicy: Receipt;
  pauseQueue: Receipt;
  resumeQueue: Receipt;
  closeIntake: Receipt;
  openIntake: Receipt;
  finishQueue: Receipt;
  reopenQueue: Receipt;
  getQueueStats: QueueStats;
  listQueueStats: QueueStatsList;
  listFailedTasks: TaskPage;
  enqueueTask: EnqueueResult;
  enqueueTasks: TaskBatchResult;
  listTasks: TaskPage;
  getTask: TaskDetails;
  getTaskExplanation: TaskExplanation;
  getTaskHistory: EventList;
  submitTask: Receipt;
  holdTask: Receipt;
  releaseTask: Receipt;
  retryTask: Receipt;
  decideTask: Receipt;
  cancelTask: Receipt;
  abortTask: Receipt;
  prioritiseTask: Receipt;
  rescheduleTask: Receipt;
  amendTask: Receipt;
  overruleTask: Receipt;
  deleteTask: Receipt;
  claimTasks: ClaimResult;
  succeedTask: Receipt;
  failTask: Receipt;
  completeStep: Receipt;
  reportError: Receipt;
  returnTask: Receipt;
  confirmCancel: Receipt;
  extendLease: ExtendResult;
  settleTasks: SettleBatchResult;
  extendLeases: ExtendBatchResult;
  runTransaction: TransactionReceipt;
  readEvents: never;
  followEvents: never;
  listWorkers: WorkerList;
  listProjections: ProjectionList;
}

export type OperationId = keyof Answers;

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `{name}` stands for a path parameter. */
  readonly path: string;
  /**
   * The command is sent with an `Idempotency-Key`, because nothing else in it lets a repetition meet itself
   * (an enqueue has its task id, a claim its claim id, a settlement its token).
   */
  readonly keyed?: boolean;
}

const get = (path: string): Route => ({ method: 'GET', path });
const post = (path: string): Route => ({ method: 'POST', path });
const command = (path: string, method: Route['method'] = 'POST'): Route => ({ method, path, keyed: true });

/** Where each operation lives in the HTTP API. */
export const OPERATIONS: Readonly<Record<OperationId, Route>> = {
  defineQueue: command('/v1/queues/{queue}', 'PUT'),
  listQueues: get('/v1/queues'),
  getQueue: get('/v1/queues/{queue}'),
  deleteQueue: command('/v1/queues/{queue}', 'DELETE'),
  getPolicy: get('/v1/queues/{queue}/policy'),
  changePolicy: command('/v1/queues/{queue}/policy', 'PUT'),
  pauseQueue: command('/v1/queues/{queue}/pause'),
  resumeQueue: command('/v1/queues/{queue}/resume'),
  closeIntake: command('/v1/queues/{queue}/close-intake'),
  openIntake: command('/v1/queues/{queue}/open-intake'),
  finishQueue: command('/v1/queues/{queue}/finish'),
  reopenQueue: command('/v1/queues/{queue}/reopen'),
  getQueueStats: get('/v1/queues/{queue}/stats'),
  listQueueStats: get('/v1/queue-stats'),
  listFailedTasks: get('/v1/queues/{queue}/failed'),
  enqueueTask: post('/v1/queues/{queue}/tasks'),
  enqueueTasks: post('/v1/tasks/batch'),
  listTasks: get('/v1/tasks'),
  getTask: get('/v1/tasks/{id}'),
  getTaskExplanation: get('/v1/tasks/{id}/why'),
  getTaskHistory: get('/v1/tasks/{id}/history'),
  submitTask: command('/v1/tasks/{id}/submit'),
  holdTask: command('/v1/tasks/{id}/hold'),
  releaseTask: command('/v1/tasks/{id}/release'),
  retryTask: command('/v1/tasks/{id}/retry'),
  decideTask: command('/v1/tasks/{id}/decide'),
  cancelTask: command('/v1/tasks/{id}/cancel'),
  abortTask: command('/v1/tasks/{id}/abort'),
  prioritiseTask: command('/v1/tasks/{id}/prioritise'),
  rescheduleTask: command('/v1/tasks/{id}/reschedule'),
  amendTask: command('/v1/tasks/{id}/amend'),
  overruleTask: command('/v1/tasks/{id}/overrule'),
  deleteTask: command('/v1/tasks/{id}', 'DELETE'),
  claimTasks: post('/v1/queues/{queue}/claims'),
  succeedTask: post('/v1/tasks/{id}/succeed'),
  failTask: post('/v1/tasks/{id}/fail'),
  completeStep: post('/v1/tasks/{id}/complete-step'),
  reportError: post('/v1/tasks/{id}/report-error'),
  returnTask: post('/v1/tasks/{id}/return'),
  confirmCancel: post('/v1/tasks/{id}/confirm-cancel'),
  extendLease: post('/v1/tasks/{id}/extend'),
  settleTasks: post('/v1/settlements'),
  extendLeases: post('/v1/leases/extend'),
  runTransaction: command('/v1/transactions'),
  readEvents: get('/v1/events'),
  followEvents: get('/v1/events/stream'),
  listWorkers: get('/v1/workers'),
  listProjections: get('/v1/projections'),
};
