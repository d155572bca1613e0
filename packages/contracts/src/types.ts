// The names below are the names of the components in openapi.json. An optional property may be left out by
// whoever writes it; a property that may be `null` is always present.

/** An instant as RFC 3339 text in UTC. */
export type IsoTime = string;

/** A place in the log of all events, as a decimal number in text (it outgrows exact JSON numbers). */
export type Position = string;

/** Any JSON value. Integers beyond 2^53 are refused: send them as text. */
export type Json = unknown;

export type Labels = Record<string, string>;

// ---------------------------------------------------------------- queues

/** `business`: the input is at fault. `application`: the handler failed. `transient`: the world failed. `bug`: the code is at fault. */
export type ErrorClass = 'business' | 'application' | 'transient' | 'bug';

export interface BackoffPolicy {
  kind: 'exponential' | 'fixed';
  baseMs: number;
  factor: number;
  capMs: number;
  jitter: 'full' | 'none';
}

export interface RetryPolicy {
  maxAttempts: number;
  /** Failures of these classes are tried again. */
  classes: ErrorClass[];
  backoff: BackoffPolicy;
}

/** Everything a queue's owner may decide about it. */
export interface QueuePolicy {
  keyRequired: boolean;
  /** What happens to a second task of a key while one already waits. */
  duplicatePending: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
  /** A success supersedes the failed tasks of its key. */
  clearFailuresOnSuccess: boolean;
  uniqueReference: 'off' | 'open' | 'always';
  onFailure: 'fail' | 'retry' | 'decide';
  retry: RetryPolicy;
  /** Lost leases that are given back before the task fails. */
  maxLost: number;
  leaseMs: number;
  defaultPriority: number;
  /** Ordered step names every task of the queue runs through. */
  steps: string[];
  limits: QueueLimits;
}

export interface QueueLimits {
  /** Bytes of a task's payload as JSON. */
  payloadBytes: number;
}

/** A policy of which only the fields to change are given; what is left out stays, or takes its default. */
export interface PolicyChanges extends Partial<Omit<QueuePolicy, 'retry' | 'limits'>> {
  retry?: Partial<Omit<RetryPolicy, 'backoff'>> & { backoff?: Partial<BackoffPolicy> };
  limits?: Partial<QueueLimits>;
}

export interface QueueDefinition {
  description?: string;
  policy?: PolicyChanges;
}

export type QueueStatus = 'active' | 'paused' | 'finished' | 'deleted';

export interface IntakeView {
  open: boolean;
  by?: string;
  reason?: string | null;
}

export interface PauseView {
  by: string;
  reason: string | null;
  until: IsoTime | null;
}

export interface QueueView {
  name: string;
  description: string;
  state: QueueStatus;
  intake: IntakeView;
  pause?: PauseView;
  policy: QueuePolicy;
  policyVersion: number;
  revision: number;
  position: Position;
}

export interface DurationStats {
  count: number;
  /** Milliseconds, summed over all. */
  total: number;
  max: number;
}

export interface QueueStats {
  queue: string;
  counts: Partial<Record<TaskStatus, number>>;
  failuresByClass: Partial<Record<ErrorClass, number>>;
  waitingMs: DurationStats;
  runningMs: DurationStats;
  oldestWaitingMs: number | null;
  asOfPosition: Position;
}

// ---------------------------------------------------------------- tasks

export type TaskStatus =
  | 'prepared'
  | 'pending'
  | 'held'
  | 'running'
  | 'errored'
  | 'failed'
  | 'succeeded'
  | 'cancelled'
  | 'aborted'
  | 'superseded'
  | 'deleted';

/** A task as it is handed in. */
export interface TaskSubmission {
  /** A UUID; the same submission under the same id, sent again, meets itself. */
  id?: string;
  kind?: string;
  key?: string;
  reference?: string;
  /** Higher first, then oldest. */
  priority?: number;
  dueAt?: IsoTime;
  labels?: Labels;
  description?: string;
  payload?: Json;
  hold?: { reason?: string };
  /** Stored, but not offered to workers before it is submitted. */
  prepared?: boolean;
}

export interface QueuedSubmission extends TaskSubmission {
  queue: string;
}

export interface TaskBatch {
  tasks: QueuedSubmission[];
}

export interface EnqueueResult {
  /** The task that now waits: the new one, or the one that was already there. */
  id: string;
  status: 'enqueued' | 'existing' | 'replaced';
  position: Position;
  revision: number;
}

/** In the place of an item's result: that item was refused, its neighbours were not touched. */
export interface RefusedItem {
  problem: Problem;
}

/** What became of one task of a batch. */
export type EnqueueOutcome = EnqueueResult | RefusedItem;

export interface TaskBatchResult {
  results: EnqueueOutcome[];
  position: Position;
}

export interface TaskErrorView {
  message: string;
  class: ErrorClass;
  details?: Json;
}

export interface TaskSummary {
  id: string;
  queue: string;
  state: TaskStatus;
  /** Why a pending task is not running. */
  waitingFor: 'worker' | 'due' | 'key' | 'queue-paused' | 'queue-finished' | null;
  kind: string;
  key: string | null;
  reference: string | null;
  priority: number;
  labels: Labels;
  description: string | null;
  dueAt: IsoTime | null;
  enqueuedAt: IsoTime | null;
  startedAt: IsoTime | null;
  finishedAt: IsoTime | null;
  attempt: number;
  worker: string | null;
  lastStep: string | null;
  error: TaskErrorView | null;
  revision: number;
  position: Position;
}

export interface TaskDetails extends TaskSummary {
  payload: Json;
  result: Json;
  /** Ordered step names; empty for a task without steps. */
  steps: string[];
}

// ---------------------------------------------------------------- claims

export interface ClaimRequest {
  worker: string;
  /** Defaults to the worker's name. */
  server?: string;
  /** 1 to 1000; 1 when absent. */
  max?: number;
  /** How long to wait for a first task: 0 to 60000. */
  waitMs?: number;
  leaseMs?: number;
  /** A UUID; the same claim under the same id, sent again, is given the same tasks. */
  claimId?: string;
}

/** A claimed task: what to do, and the proof that it is this claimant's to do. */
export interface Grant {
  taskId: string;
  queue: string;
  kind: string;
  key: string | null;
  reference: string | null;
  priority: number;
  labels: Labels;
  description: string | null;
  enqueuedAt: IsoTime;
  attempt: number;
  /** `<fencing number>.<secret>`. A bearer secret: never log it. */
  token: string;
  claimId: string;
  leaseMs: number;
  deadline: IsoTime;
  payload: Json;
  step: string | null;
  lastSuccessfulStep: string | null;
}

export interface ClaimResult {
  tasks: Grant[];
}

/** An error as a worker reports it; the class is `application` when absent. */
export interface ErrorReport {
  message: string;
  class?: ErrorClass;
  details?: Json;
}

export interface SucceedVerdict {
  type: 'succeed';
  result?: Json;
  /** Nothing had to be done. */
  noChange?: boolean;
}
export interface FailVerdict {
  type: 'fail';
  error: ErrorReport;
  /** Never tried again, whatever the policy says. */
  final?: boolean;
  /** The worker's wish for the delay of an automatic retry. */
  retryAfterMs?: number;
}
export interface CompleteStepVerdict {
  type: 'completeStep';
  step: string;
  /** `continue`: the same claim goes on with the next step. `offer`: any worker may take it. */
  then: 'continue' | 'offer';
  result?: Json;
}
export interface ReportErrorVerdict {
  type: 'reportError';
  error: ErrorReport;
}
export interface HandBackVerdict {
  type: 'handBack';
}
export interface ConfirmCancelVerdict {
  type: 'confirmCancel';
}

export type SettleVerdict =
  SucceedVerdict | FailVerdict | CompleteStepVerdict | ReportErrorVerdict | HandBackVerdict | ConfirmCancelVerdict;

export interface LeaseRef {
  taskId: string;
  token: string;
}

export interface SettleItem extends LeaseRef {
  verdict: SettleVerdict;
}

export interface SettleBatch {
  items: SettleItem[];
}

/** An accepted verdict, and the state of the task after it. */
export interface Settlement extends Receipt {
  state: TaskStatus;
}

export type SettleResult = Settlement | RefusedItem;

export interface SettleBatchResult {
  results: SettleResult[];
}

export interface ExtendBatch {
  items: LeaseRef[];
}

export type ExtendResult =
  { taskId: string; kind: 'extended'; deadline: IsoTime; cancelRequested: boolean } | { taskId: string; kind: 'lost' };

export interface ExtendBatchResult {
  results: ExtendResult[];
}

// ---------------------------------------------------------------- answers

/** What a command did. */
export interface Receipt {
  /** A task's id or a queue's name. */
  id: string;
  position: Position;
  revision: number;
  /** false: it was already done, and nothing was recorded. */
  recorded: boolean;
}

/** RFC 9457 problem details; further members are the data of the refusal. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  /** What to branch on, as `TASK_NOT_FOUND`. */
  code: string;
  traceId?: string;
  errors?: ProblemError[];
  [data: string]: unknown;
}

/** One field of a request that is not acceptable. */
export interface ProblemError {
  /** JSON pointer into the request's body. */
  pointer: string;
  detail: string;
}

// ---------------------------------------------------------------- history and operations

export interface EventEnvelope {
  actor: string;
  correlationId?: string;
  causationId?: string;
  reason?: string;
  tenant?: string;
  policyVersion?: number;
}

export interface EventView {
  position: Position;
  stream: string;
  revision: number;
  id: string;
  type: string;
  version: number;
  recordedAt: IsoTime;
  data: Record<string, unknown>;
  envelope: EventEnvelope;
}

export interface WorkerView {
  name: string;
  server: string;
  queues: string[];
  running: number;
  lastSeenAt: IsoTime;
}

export interface ProjectionView {
  name: string;
  position: Position;
  /** Events behind the head of the log. */
  lag: number;
}

/** One page of a list; `nextCursor` is null on the last one. */
export interface TaskPage {
  items: TaskSummary[];
  nextCursor: string | null;
}

export interface QueueList {
  items: QueueView[];
}

export interface EventList {
  items: EventView[];
}

export interface WorkerList {
  items: WorkerView[];
}

export interface ProjectionList {
  items: ProjectionView[];
}
