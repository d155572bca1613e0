import type {
  ClaimedTask,
  ClaimRequest,
  ClaimResult,
  EnqueueOutcome,
  EnqueueResult,
  EventView,
  Json,
  LimitPage,
  OperationId,
  PolicyBlame,
  PolicyDiff,
  PolicyVersion,
  QueueHistory,
  QueueStatsDetails,
  QueueTally,
  QueueView,
  QueueWaits,
  Requests,
  StartedBulkOperation,
  RetentionView,
  TaskSummary,
  TurnRequest,
  TurnResult,
} from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { type BulkOptions, startBulkOperation } from './bulk-operation.js';
import { assertOptions } from './call-options.js';
import { type CallOptions, type Caller, type CommandOptions, POLL_MARGIN_MS, type ReadOptions } from './caller.js';
import { assertTime } from './clock.js';
import { type DrainedOptions, drainedOf } from './drained.js';
import { EnqueueBatcher } from './enqueue-batcher.js';
import { requestsOf } from './given-command.js';
import { isoTime } from './given-options.js';
import { type HistoryOptions, historyOf } from './history.js';
import { QueueCommands } from './queue-commands.js';
import { WaybillError } from './problems.js';
import { readQuery } from './read-query.js';
import { ENOUGH_RUN } from './retry.js';
import { startTask } from './start-task.js';
import { type ResultOptions, resultOf } from './task-result.js';
import { enqueueAll, newId, queuedItemOf, submissionOf, type EnqueueOptions, type NewTask } from './submissions.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

export interface FiguresOptions extends ReadOptions {
  /** When the interval begins: a time, or how long ago, such as `24h`. */
  readonly from: Date | string;
  /** When it ends; now if absent. */
  readonly to?: Date | string;
  /** The length of a bucket; if absent, the finest with up to 180 buckets. */
  readonly bucket?: QueueHistory['bucket'];
}

export type WaitsOptions = CallOptions & Pick<FiguresOptions, 'from' | 'to'>;

export type DeletionOptions = Omit<BulkOptions, 'priority' | 'again' | 'canary' | 'perSecond'>;

/** How many days after their end tasks leave the lists, by the state in which they ended. */
export type RetentionDays = Readonly<Partial<Record<RetentionView['states'][number]['state'], number>>>;

/** A task that its own worker creates. */
export type TaskStart = Omit<Requests['startTask'], 'queue' | 'deadlineAt'> & Pick<EnqueueOptions, 'deadlineAt'>;

/** One queue, by name. Creating a handle sends no request. `Payload` is the type of what its tasks carry. */
export class QueueHandle<Payload = unknown> extends QueueCommands<'request'> {
  constructor(
    private readonly caller: Caller,
    name: string,
    private readonly line = new EnqueueBatcher(caller),
  ) {
    super(name, requestsOf(caller));
  }

  /**
   * Enqueues a task. If you repeat the call with the same id and content, it returns the existing task; with the same
   * idempotency key and content, the first answer. Concurrent calls share requests, each with its own answer. A call with
   * options is sent as a separate request.
   */
  enqueue(payload?: Payload, options: EnqueueOptions & CommandOptions = {}): Promise<EnqueueResult> {
    assertOptions('enqueueTask', options);
    return this.caller.config.telemetry.send({ queue: this.name, count: 1 }, () => this.submit(payload, options));
  }

  private submit(payload: Payload | undefined, options: EnqueueOptions & CommandOptions): Promise<EnqueueResult> {
    const { signal, timeoutMs, retry, requestId, idempotencyKey, ...task } = options;
    const forThisCall = { signal, timeoutMs, retry, requestId, idempotencyKey };
    if (Object.values(forThisCall).every((option) => option === undefined)) {
      return this.line.enqueue(this.name, { ...task, payload });
    }
    const body = { ...submissionOf({ ...task, payload }), id: newId(task.id, forThisCall) };
    return this.call('enqueueTask', { body }, forThisCall);
  }

  /**
   * Enqueues a task and waits for its result, as `task.result` does. `TaskNotEnded` and `TaskFailed` have the task's id: with an `id` of
   * your own, you can also repeat the call.
   */
  async run(payload?: Payload, options: EnqueueOptions & ResultOptions = {}): Promise<Json> {
    assertOptions('queue.run', options);
    const { timeoutMs, ...task } = options;
    const { signal } = options;
    const { id } = await this.enqueue(payload, task);
    return resultOf(this.caller, id, { timeoutMs, signal });
  }

  /**
   * Enqueues any number of tasks and returns one outcome each, in order. A refusal of one does not affect the others.
   * This may take several requests: give the tasks your own ids, so that you can safely repeat the call after an error.
   */
  enqueueMany(tasks: readonly NewTask<Payload>[], options?: CallOptions): Promise<EnqueueOutcome[]> {
    const submissions = tasks.map((task) => queuedItemOf(task, this.name));
    return enqueueAll(this.caller, submissions, options);
  }

  /**
   * Creates a task and claims it in one step, so that it never waits for a worker. If you repeat the call with the same
   * id and worker while the lease stands, it returns the same claim. Under the same idempotency key too, with a longer lease;
   * once the claim is over, it throws `LEASE_LOST`, so that nobody runs the task twice. `functions` does this, and everything
   * that must follow.
   */
  async start(request: TaskStart, options?: CommandOptions): Promise<ClaimedTask> {
    const { deadlineAt, id } = request;
    const body = {
      ...request,
      deadlineAt: isoTime('deadlineAt', deadlineAt),
      queue: this.name,
      id: newId(id, options),
    };
    return startTask(this.caller, body, options);
  }

  /**
   * Deletes the queue with its tasks: closes the intake, gives out nothing more, waits until the running tasks have ended
   * (`running: 'cancel'` asks their workers to stop), and deletes everything. It is an operation, as those of
   * `waybill.operate`. With `preview`, only counts the tasks.
   */
  async deleteWithTasks(options: DeletionOptions = {}): Promise<StartedBulkOperation> {
    assertOptions('queue.deleteWithTasks', options);
    return startBulkOperation(this.caller, 'deleteQueue', { filter: { queue: this.name } }, options);
  }

  get(options: ReadOptions = {}): Promise<QueueView> {
    return this.call('getQueue', { query: readQuery(options) }, options);
  }

  /** How many tasks are in each state. */
  tally(options: ReadOptions = {}): Promise<QueueTally> {
    return this.call('tallyQueue', { query: readQuery(options) }, options);
  }

  /** The versions of the queue's policy, the newest first. Fetches page by page as you iterate. */
  versions(options: PageOptions = {}): AsyncGenerator<PolicyVersion> {
    const page = (cursor?: string) =>
      this.call('listPolicyVersions', { query: pageQuery({ ...options, cursor }) }, options);
    return everyItem(page, options.cursor);
  }

  /** The fields in which two versions of the queue's policy differ. */
  diff(from: number, to: number, options: ReadOptions = {}): Promise<PolicyDiff> {
    return this.call(
      'diffPolicyVersions',
      { query: { ...readQuery(options), fromVersion: from, toVersion: to } },
      options,
    );
  }

  /** Who set each field of the queue's policy, when and why. */
  blame(options: ReadOptions = {}): Promise<PolicyBlame> {
    return this.call('blamePolicy', { query: readQuery(options) }, options);
  }

  /**
   * The queue once nothing of it runs any more, while it is paused, waits or is finished. Throws `NotDrained` if tasks still run when the
   * time is over, and if the queue gives tasks out.
   */
  async drained(options: DrainedOptions = {}): Promise<QueueView> {
    assertOptions('queue.drained', options);
    const look = (minPosition: string) => Promise.all([this.get({ minPosition }), this.tally({ minPosition })]);
    const [queue] = await drainedOf<readonly [QueueView, QueueTally]>(
      this.caller,
      {
        look,
        runningIn: ([, { counts }]) => counts.running ?? 0,
        givesOut: ([{ state }]) => (state === 'active' ? `queue '${this.name}' gives tasks out: pause it first` : null),
      },
      options,
    );
    return queue;
  }

  /**
   * One page of the values of the label that the queue limits, with what runs of each: those with limits of their own, those of which tasks run,
   * and those of which none may start now. Pass its `nextCursor` back to get the next one.
   */
  limits(options: PageOptions = {}): Promise<LimitPage> {
    return this.call('listLimits', { query: pageQuery(options) }, options);
  }

  stats(options: ReadOptions = {}): Promise<QueueStatsDetails> {
    return this.call('getQueueStats', { query: readQuery(options) }, options);
  }

  /** What happened in the queue in an interval, in buckets of equal length. */
  async figures(given: FiguresOptions): Promise<QueueHistory> {
    assertOptions('queue.figures', given);
    const { from, to, bucket, ...options } = given;
    const interval = { from: isoTime('from', from), to: isoTime('to', to ?? 'now'), ...(bucket && { bucket }) };
    const { history } = await this.call('getQueueStats', { query: { ...readQuery(options), ...interval } }, options);
    return history!; // which the service promises to those who name an interval
  }

  /** Everything that happened to the queue itself, the oldest event first. Fetches page by page as you iterate. */
  history(options: HistoryOptions = {}): AsyncGenerator<EventView> {
    return historyOf(this.caller, { operation: 'getQueueHistory', path: { queue: this.name } }, options);
  }

  /** Where the waiting time of its tasks went in an interval: how long each reason kept them, which adds up to it. */
  waits(given: WaitsOptions): Promise<QueueWaits> {
    assertOptions('queue.waits', given);
    const { from, to, ...options } = given;
    const query = { from: isoTime('from', from), to: isoTime('to', to ?? 'now') };
    return this.call('getQueueWaits', { query }, options);
  }

  /**
   * How many ended tasks leave the lists now by the queue's policy or, if you pass days, by these alone. Changes nothing.
   */
  retention(days: RetentionDays = {}, options: ReadOptions = {}): Promise<RetentionView> {
    return this.call('getRetention', { query: { ...readQuery(options), ...days } }, options);
  }

  /** The failed tasks of the queue. Fetches page by page as you iterate. */
  failed(options: PageOptions = {}): AsyncGenerator<TaskSummary> {
    const page = (cursor?: string) =>
      this.call('listFailedTasks', { query: pageQuery({ ...options, cursor }) }, options);
    return everyItem(page, options.cursor);
  }

  /**
   * Claims up to `max` tasks and waits up to `waitMs` for the first; the list is empty if none became ready. Retries
   * use the same claim id, so that a lost answer loses no task. A `Worker` does this, and everything that must follow.
   */
  async claim(request: ClaimRequest, options: CallOptions = {}): Promise<ClaimedTask[]> {
    return (await this.claimResult(request, options)).tasks;
  }

  /** Like `claim`, but also returns why a limit left no task: `refusal` names the consumer or the running tasks. */
  async claimResult(request: ClaimRequest, options: CallOptions = {}): Promise<ClaimResult> {
    assertOptions('claimTasks', options);
    assertTime('waitMs', request.waitMs);
    assertTime('leaseMs', request.leaseMs);
    const body = { ...request, claimId: request.claimId ?? uuidv7() };
    const timeoutMs = options.timeoutMs ?? (request.waitMs ?? 0) + POLL_MARGIN_MS;
    const worker = new QueueHandle(this.caller.as(request.worker), this.name);
    try {
      return await worker.call('claimTasks', { body }, { ...options, timeoutMs });
    } catch (error) {
      return withoutTasks(error);
    }
  }

  /**
   * Settles tasks of any queue and then claims tasks of this one, in one request, which does not wait for a task. The
   * claim takes what the settlements free. A claim that fails is in `problem`; the results stand. If you repeat it with the
   * same claim id, it gets the same tasks.
   */
  takeTurn(request: TurnRequest, options: CallOptions = {}): Promise<TurnResult> {
    assertOptions('takeTurn', options);
    assertTime('leaseMs', request.leaseMs);
    const body = { ...request, claimId: request.claimId ?? uuidv7() };
    return new QueueHandle(this.caller.as(request.worker), this.name).call('takeTurn', { body }, options);
  }

  private call<O extends OperationId>(operation: O, input: object, options?: CommandOptions) {
    return this.caller.call(operation, { ...input, path: { queue: this.name } }, options);
  }
}

/** A claim that is refused because enough tasks run is one without tasks, as if the queue limited them. */
function withoutTasks(error: unknown): ClaimResult {
  if (!(error instanceof WaybillError) || error.code !== ENOUGH_RUN) throw error;
  const { code, detail, data } = error;
  return { tasks: [], position: null, refusal: { code, detail, ...data } as ClaimResult['refusal'] };
}
