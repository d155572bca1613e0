import type { BatchDefinition, Prerequisite, QueuedSubmission } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { BatchHandle } from './batch-handle.js';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions, ReasonOptions } from './caller.js';
import { derivedId } from './derived-id.js';
import type { TaskFunction } from './functions/task-functions.js';
import { WaybillError } from './problems.js';
import { type EnqueueOptions, enqueueAll, queuedSubmissionOf } from './submissions.js';

/** With an `id` of the caller's, a program that plans the same batch again finds its earlier tasks. */
export type BatchOptions = Omit<BatchDefinition, 'plan' | 'reason'>;

/** The options of a task of a batch. Its prerequisites may be other tasks of the plan. */
export type PlannedOptions = Omit<EnqueueOptions, 'id' | 'batch' | 'batchSize' | 'after' | 'gather'> & {
  readonly after?: readonly (PlannedTask | Prerequisite)[];
};

/** A task of a plan, to name as a prerequisite of later ones. */
export class PlannedTask {
  constructor(
    /** Its number in the plan, from 0. */
    readonly ordinal: number,
    readonly queue: string,
    readonly payload: unknown,
    readonly options: PlannedOptions,
  ) {}
}

/** A task of a plan and the numbers of those that it waits for. */
export interface PlannedNode {
  readonly ordinal: number;
  readonly queue: string;
  /** Undefined if the queue determines it. */
  readonly kind: string | undefined;
  readonly payload: unknown;
  readonly after: readonly number[];
}

/** A batch that is being planned. Nothing is sent before `submit`. */
export class BatchPlan {
  readonly id: string;
  private readonly tasks: PlannedTask[] = [];

  constructor(
    private readonly caller: Caller,
    private readonly about: BatchOptions,
  ) {
    this.id = about.id ?? uuidv7();
  }

  /** Adds a task to the plan. It can wait for tasks that were added before. */
  add(queue: string, payload?: unknown, options?: PlannedOptions): PlannedTask;
  /** Adds the call of a task function. */
  add<Args extends readonly any[]>(
    call: TaskFunction<Args>,
    args: Args,
    options?: Omit<PlannedOptions, 'kind'>,
  ): PlannedTask;
  add(to: string | TaskFunction, payload?: unknown, given: PlannedOptions = {}): PlannedTask {
    assertOptions(typeof to === 'string' ? 'plan.add' : 'plan.add of a function', given);
    this.assertOwn(given.after ?? []);
    const [queue, options] = typeof to === 'string' ? [to, given] : [to.queue, { ...given, kind: to.kind }];
    const task = new PlannedTask(this.tasks.length, queue, payload, options);
    this.tasks.push(task);
    return task;
  }

  /** A task of another plan has a number, too, under which this plan has another task. */
  private assertOwn(after: NonNullable<PlannedOptions['after']>): void {
    const stranger = after.find((one) => one instanceof PlannedTask && this.tasks[one.ordinal] !== one);
    if (stranger) throw new Error('Expected prerequisites of the same plan, but one is a task of another');
  }

  /** The plan as a value, for tests. */
  graph(): readonly PlannedNode[] {
    return this.tasks.map(({ ordinal, queue, payload, options: { kind, after = [] } }) => ({
      ordinal,
      queue,
      kind,
      payload,
      after: after.flatMap((one) => (one instanceof PlannedTask ? one.ordinal : [])),
    }));
  }

  /** Creates the batch without tasks, for a caller that adds and opens them itself. */
  async create(options: ReasonOptions = {}): Promise<BatchHandle> {
    await this.caller.call('createBatch', { body: { reason: options.reason, ...this.about, id: this.id } }, options);
    return new BatchHandle(this.caller, this.id);
  }

  /**
   * Creates the batch with all its tasks, and opens it: all of them may run, or none. Throws the first refusal. The ids
   * of the tasks follow from the batch's id, so calling this again after an error goes on where it stopped.
   */
  async submit(options: CallOptions = {}): Promise<BatchHandle> {
    assertOptions('plan.submit', options);
    const batch = await this.create(options);
    await this.fill(batch, options);
    return batch;
  }

  /** Adds the tasks to the batch, which exists, and opens it. */
  async fill(batch: BatchHandle, options: CallOptions = {}): Promise<void> {
    const ids = await Promise.all(this.tasks.map(({ ordinal }) => derivedId(`batch ${this.id}`, String(ordinal))));
    const submissions = this.tasks.map((task) => this.submissionOf(task, ids));
    for (const outcome of await enqueueAll(this.caller, submissions, options))
      if ('problem' in outcome) throw new WaybillError(outcome.problem);
    await batch.open(this.tasks.length, options);
  }

  private submissionOf({ ordinal, queue, payload, options }: PlannedTask, ids: readonly string[]): QueuedSubmission {
    const after = options.after?.map((one) => (one instanceof PlannedTask ? { task: ids[one.ordinal]! } : one));
    const inBatch = { id: ids[ordinal]!, batch: this.id, batchSize: this.tasks.length };
    return queuedSubmissionOf({ ...options, ...inBatch, after, payload }, queue);
  }
}
