import type {
  ClaimedTask,
  ClaimRequest,
  ClaimResult,
  EnqueueOutcome,
  EnqueueResult,
  OperationId,
  QueueStats,
  QueueView,
  TaskSummary,
} from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import type { CallOptions, Caller, CommandOptions, ReadOptions } from './caller.js';
import { EnqueueBatcher } from './enqueue-batcher.js';
import { requestsOf } from './given-command.js';
import { QueueCommands } from './queue-commands.js';
import { readQuery } from './read-query.js';
import { enqueueAll, queuedSubmissionOf, submissionOf, type EnqueueOptions, type NewTask } from './submissions.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

/** How much longer than its own reservationRetry a long poll may take to be answered. */
export const POLL_MARGIN_MS = 10_000;

/** One queue, by name. Making a handle asks nothing of the service. */
export class QueueHandle extends QueueCommands<'request'> {
  constructor(
    private readonly caller: Caller,
    name: string,
    private readonly line = new EnqueueBatcher(caller),
  ) {
    super(name, requestsOf(caller));
  }

  /**
   * Hands in one task. Repeated with the same id and content, it answers the task that is already there.
   * Calls at the same time share requests, each with an answer of its own; with options for the call it is a request of its own.
   */
  enqueue(payload?: unknown, options: EnqueueOptions & CommandOptions = {}): Promise<EnqueueResult> {
    const { signal, timeoutMs, retry, requestId, idempotencyKey, ...task } = options;
    const forThisCall = { signal, timeoutMs, retry, requestId, idempotencyKey };
    if (Object.values(forThisCall).every((option) => option === undefined)) {
      return this.line.enqueue(this.name, { ...task, payload });
    }
    return this.call('enqueueTask', { body: submissionOf({ ...task, payload }) }, forThisCall);
  }

  /**
   * Hands in any number of tasks, one outcome each, in their order; a refusal of one touches no other.
   * More than one request may be needed: give the tasks ids of your own to repeat the call safely after an error.
   */
  enqueueMany(tasks: readonly NewTask[], options?: CallOptions): Promise<EnqueueOutcome[]> {
    const submissions = tasks.map((task) => queuedSubmissionOf(task, this.name));
    return enqueueAll(this.caller, submissions, options);
  }

  get(options: ReadOptions = {}): Promise<QueueView> {
    return this.call('getQueue', { query: readQuery(options) }, options);
  }

  stats(options: ReadOptions = {}): Promise<QueueStats> {
    return this.call('getQueueStats', { query: readQuery(options) }, options);
  }

  /** The queue's failed tasks, read page by page as they are asked for. */
  failed(options: PageOptions = {}): AsyncGenerator<TaskSummary> {
    const page = (cursor?: string) =>
      this.call('listFailedTasks', { query: pageQuery({ ...options, cursor }) }, options);
    return everyItem(page, options.cursor);
  }

  /**
   * Takes up to `max` tasks, waiting `waitMs` for a first one; none is no error. Repeated attempts carry the same
   * claim id, so that a lost answer loses no task. A `Worker` does this, and what must follow, by itself.
   */
  async claim(request: ClaimRequest, options: CallOptions = {}): Promise<ClaimedTask[]> {
    return (await this.claimResult(request, options)).tasks;
  }

  /** As `claim`, with the reason why a queue that may have tasks gave none: `refusal` names who holds it, or what runs. */
  claimResult(request: ClaimRequest, options: CallOptions = {}): Promise<ClaimResult> {
    const body = { ...request, claimId: request.claimId ?? uuidv7() };
    const timeoutMs = options.timeoutMs ?? (request.waitMs ?? 0) + POLL_MARGIN_MS;
    const worker = new QueueHandle(this.caller.as(request.worker), this.name);
    return worker.call('claimTasks', { body }, { ...options, timeoutMs });
  }

  private call<O extends OperationId>(operation: O, input: object, options?: CommandOptions) {
    return this.caller.call(operation, { ...input, path: { queue: this.name } }, options);
  }
}
