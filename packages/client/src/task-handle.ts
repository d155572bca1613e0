import type { EventView, OperationId, Receipt, TaskDetails, TaskExplanation } from '@waybill/contracts';
import type { Caller, CommandOptions, ReadOptions, ReasonOptions } from './caller.js';
import { eventFeed } from './event-feed.js';
import { readQuery } from './read-query.js';
import { isOver } from './task-end.js';
import { endsTask } from './words/effects.js';

export interface RetryOptions extends ReasonOptions {
  /** Where to begin again, in a task with steps; where it failed when absent. */
  readonly step?: string;
  /** Needed for a step other than the implied one, and recorded. */
  readonly override?: boolean;
}

type TaskCommand = { [O in OperationId]: O extends `${string}Task` ? O : never }[OperationId];

/** One task, by id. Making a handle asks nothing of the service. */
export class TaskHandle {
  constructor(
    private readonly caller: Caller,
    readonly id: string,
  ) {}

  get(options: ReadOptions = {}): Promise<TaskDetails> {
    return this.call('getTask', { query: readQuery(options) }, options);
  }

  /** Every reason why the task is not running now. */
  why(options: ReadOptions = {}): Promise<TaskExplanation> {
    return this.call('getTaskExplanation', { query: readQuery(options) }, options);
  }

  /** Everything that happened to the task, oldest first. */
  async history(options: ReadOptions = {}): Promise<EventView[]> {
    const { items } = await this.call('getTaskHistory', { query: readQuery(options) }, options);
    return items;
  }

  /**
   * Everything that happened to the task, then what happens, until it has ended or `signal` aborts. Of a task that has ended, also
   * one that could be retried: its history.
   */
  async *follow({ signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<EventView> {
    const past = await this.history({ signal }).catch((error: unknown) => {
      if (signal?.aborted) return [];
      throw error;
    });
    yield* past;
    if (signal?.aborted || isOver(past)) return;
    const after = past.at(-1)!.position;
    for await (const event of eventFeed(this.caller, { task: this.id, after, follow: true, signal })) {
      yield event;
      if (endsTask(event)) return;
    }
  }

  /** Offers a prepared task to workers. */
  submit({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('submitTask', { reason }, options);
  }

  /** Keeps the task back; a running one is asked to stop first. */
  hold({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('holdTask', { reason }, options);
  }

  release({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('releaseTask', { reason }, options);
  }

  /** Puts a failed or cancelled task back to work. */
  retry({ step, override, reason, ...options }: RetryOptions = {}): Promise<Receipt> {
    return this.command('retryTask', { step, override, reason }, options);
  }

  /** Decides what becomes of an undecided task. */
  decide(decision: 'retry' | 'fail', { reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('decideTask', { decision, reason }, options);
  }

  /** Stops the task; it can be retried. A running one is asked to stop. */
  cancel({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('cancelTask', { reason }, options);
  }

  /** Stops the task for good, at once. */
  abort({ reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('abortTask', { reason }, options);
  }

  prioritise(priority: number, { reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('prioritiseTask', { priority, reason }, options);
  }

  /** `null`: due now. */
  reschedule(dueAt: Date | string | null, { reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command(
      'rescheduleTask',
      { dueAt: dueAt instanceof Date ? dueAt.toISOString() : dueAt, reason },
      options,
    );
  }

  /** Replaces the payload of a task that is not running. */
  amend(payload: unknown, { reason, ...options }: ReasonOptions = {}): Promise<Receipt> {
    return this.command('amendTask', { payload, reason }, options);
  }

  /** Ends a running attempt against its worker, whose late report is then refused. */
  overrule(verdict: 'succeed' | 'fail' | 'requeue', reason: string, options?: CommandOptions): Promise<Receipt> {
    return this.command('overruleTask', { verdict, reason }, options);
  }

  /** Its history stays. `force` deletes a running task, too. */
  delete({ force, reason, ...options }: ReasonOptions & { readonly force?: boolean } = {}): Promise<Receipt> {
    return this.call('deleteTask', { query: { force, reason } }, options);
  }

  private command(operation: Exclude<TaskCommand, 'getTask' | 'enqueueTask'>, body: object, options?: CommandOptions) {
    return this.call(operation, { body }, options);
  }

  private call<O extends OperationId>(operation: O, input: object, options?: CommandOptions) {
    return this.caller.call(operation, { ...input, path: { id: this.id } }, options);
  }
}
