import type {
  ClaimRequest,
  ClaimResult,
  DefinitionReceipt,
  EnqueueOutcome,
  EnqueueResult,
  ClaimedTask,
  OperationId,
  PolicyChanges,
  QueueStats,
  QueueView,
  Receipt,
  TaskSummary,
} from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import type { CallOptions, Caller, CommandOptions, ReadOptions, ReasonOptions } from './caller.js';
import { EnqueueBatcher } from './enqueue-batcher.js';
import { readQuery } from './read-query.js';
import { enqueueAll, queuedSubmissionOf, submissionOf, type EnqueueOptions, type NewTask } from './submissions.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

/** How much longer than its own reservationRetry a long poll may take to be answered. */
export const POLL_MARGIN_MS = 10_000;

export interface DefineOptions extends ReasonOptions {
  readonly description?: string;
  /** Whose policy stands where the given one says nothing, and whose words and commands are the queue's. */
  readonly preset?: string;
  /** Change a queue that stands to this definition, whoever changed it since. */
  readonly replace?: boolean;
}

export interface ChangePolicyOptions extends ReasonOptions {
  /** The `policyVersion` that the caller has seen: another one refuses the change. */
  readonly ifVersion: number;
}

export interface PauseOptions extends ReasonOptions {
  /** When the queue resumes by itself. */
  readonly until?: Date | string;
}

type QueueCommand = { [O in OperationId]: O extends `${string}Queue` | `${string}Intake` ? O : never }[OperationId];

/** One queue, by name. Making a handle asks nothing of the service. */
export class QueueHandle {
  constructor(
    private readonly caller: Caller,
    readonly name: string,
    private readonly line = new EnqueueBatcher(caller),
  ) {}

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

  /**
   * Makes the queue; what the policy leaves out takes its default. One that stands is kept as it is, unless `replace` changes it to
   * this definition. The answer says which, where it is other than was asked (`differences`), and what keeps it from being used.
   */
  define(policy: PolicyChanges = {}, options: DefineOptions = {}): Promise<DefinitionReceipt> {
    const { description, preset, replace, reason, ...forThisCall } = options;
    return this.call('defineQueue', { body: { description, preset, policy, replace, reason } }, forThisCall);
  }

  /** Changes the policy's given fields, unless somebody else changed it meanwhile. */
  changePolicy(changes: PolicyChanges, { ifVersion, reason, ...options }: ChangePolicyOptions): Promise<Receipt> {
    const headers = { 'if-match': `"${ifVersion}"` };
    return this.call('changePolicy', { body: { ...changes, reason }, headers }, options);
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

  /** Stops handing out tasks; submissions go on. */
  pause({ reason, until, ...options }: PauseOptions = {}): Promise<Receipt> {
    return this.command('pauseQueue', { reason, until: until instanceof Date ? until.toISOString() : until }, options);
  }

  resume({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('resumeQueue', { reason }, options);
  }

  /** Refuses further submissions; the tasks that are there are worked. */
  closeIntake({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('closeIntake', { reason }, options);
  }

  openIntake({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('openIntake', { reason }, options);
  }

  /** Ends a queue whose tasks are all final. */
  finish({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('finishQueue', { reason }, options);
  }

  reopen({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('reopenQueue', { reason }, options);
  }

  delete({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.call('deleteQueue', { query: { reason } }, options);
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

  private command(operation: QueueCommand, body: object, options?: CommandOptions): Promise<Receipt> {
    return this.call(operation, { body }, options) as Promise<Receipt>;
  }

  private call<O extends OperationId>(operation: O, input: object, options?: CommandOptions) {
    return this.caller.call(operation, { ...input, path: { queue: this.name } }, options);
  }
}
