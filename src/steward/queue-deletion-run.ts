import type { Run, Verdict } from '@waybill/client';
import type { BulkResult } from '../application/bulk-operations/bulk-operation.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import type { QueueDeletion } from '../application/queue-deletions/queue-deletion.js';
import type { QueueOperation } from '../application/queues/operate-queue.handler.js';
import { type BulkPage, BulkPass, chunksOf, giveEach, contextOf, type PassWork } from './bulk-pass.js';

/** The title of the bar for the tasks that ran when the deletion began to wait. */
const ENDED = 'running tasks that have ended';

/** The tasks between two checkpoints. */
const PER_CHECKPOINT = 500;

export interface QueueDeletionWork extends PassWork {
  /** Whether the queue was deleted after this time, by whomever. One that was defined again since is another queue. */
  isDeleted(queue: string, since: string): Promise<boolean>;
  /** The code of the refusal; null if the queue has the command. */
  tell(queue: string, operation: QueueOperation, context: CommandContext): Promise<string | null>;
  /** Tasks that are not deleted yet, of those before one, latest first. */
  remaining(queue: string, before: string | null, limit: number): Promise<readonly string[]>;
  countRunning(queue: string): Promise<number>;
  running(queue: string): Promise<readonly string[]>;
  /** Looks whenever a task of the queue may have ended, until the look says that it is over. */
  watch(queue: string, isOver: () => Promise<boolean>, signal: AbortSignal): Promise<void>;
}

/** One attempt to delete a queue with its tasks. Every step of it can be repeated. */
export class QueueDeletionRun {
  private readonly order: QueueDeletion;
  private readonly context: CommandContext;
  private readonly pass: BulkPass;
  /** The running tasks whose workers were asked to stop. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly run: Run<QueueDeletion>,
    private readonly work: QueueDeletionWork,
  ) {
    this.order = run.task.payload;
    this.context = contextOf(run.task.taskId, this.order);
    this.pass = new BulkPass(run, work, {
      operation: { type: 'DeleteTask', force: false },
      isOfferedAnyway: true,
      expected: this.order.expected,
      context: this.context,
      page: (cursor) => this.page(cursor),
    });
  }

  /**
   * Repeats until the queue is empty: deletes the tasks that do not run, then waits for those that do. The attempt fails if
   * no task runs any more and the remaining ones refuse to be deleted. A retry continues from there.
   */
  async finish(): Promise<BulkResult | Verdict> {
    await this.close();
    for (let last = await this.pass.finish(), isStuck = false; ;) {
      const refusal = await this.deleteQueue(last);
      if (refusal === null) return last;
      if (isStuck) return this.unfinished(last, refusal);
      const hasWaited = await this.awaitRunning();
      await this.close();
      const next = await this.pass.begin({ asked: last.done, done: last.done, refused: {}, examples: [] });
      isStuck = !hasWaited && next.done === last.done;
      last = next;
    }
  }

  /** Nothing comes in, and nothing more is given out. A finished queue gives out nothing anyway. */
  private async close(): Promise<void> {
    if (await this.isGone()) return;
    const reason = this.order.reason ?? 'The queue is being deleted.';
    await this.tell({ type: 'CloseIntake', reason });
    await this.tell({ type: 'PauseQueue', reason, until: null });
  }

  /** Null if there is no queue any more. While a task refuses to be deleted, the queue stays. */
  private async deleteQueue({ refused }: BulkResult): Promise<string | null> {
    const [first] = Object.keys(refused);
    if (first !== undefined) return first;
    return (await this.isGone()) ? null : this.tell({ type: 'DeleteQueue' });
  }

  /** Whether anything ran. */
  private async awaitRunning(): Promise<boolean> {
    const all = await this.work.countRunning(this.order.queue);
    if (all === 0) return false;
    const noneRuns = async (): Promise<boolean> => {
      const running = await this.work.countRunning(this.order.queue);
      this.run.progress(ENDED, { end: Math.max(all, running), position: Math.max(0, all - running) });
      if (this.order.running === 'cancel') await this.askToStop(await this.work.running(this.order.queue));
      return running === 0;
    };
    await this.work.watch(this.order.queue, noneRuns, this.run.signal);
    return true;
  }

  /** Asks each worker once, however often a task ends meanwhile. */
  private async askToStop(running: readonly string[]): Promise<void> {
    const operation = { type: 'CancelTask', reason: this.order.reason ?? null } as const;
    const origin = `op:${this.run.task.taskId}:cancel:${this.run.fencingToken}:${this.asked.size}`;
    const tasks = running.filter((task) => !this.asked.has(task));
    for (const some of chunksOf(tasks))
      await giveEach(
        this.work,
        { tasks: some, operation, origin, isRepeated: false, isOfferedAnyway: true },
        this.context,
      );
    for (const task of tasks) this.asked.add(task);
  }

  private async page(before: string | null): Promise<BulkPage> {
    if (await this.isGone()) return { tasks: [], cursor: null };
    const tasks = await this.work.remaining(this.order.queue, before, PER_CHECKPOINT);
    return { tasks, cursor: tasks.length < PER_CHECKPOINT ? null : tasks.at(-1)! };
  }

  private isGone(): Promise<boolean> {
    return this.work.isDeleted(this.order.queue, this.run.task.enqueuedAt);
  }

  private tell(operation: QueueOperation): Promise<string | null> {
    return this.work.tell(this.order.queue, operation, this.context);
  }

  private unfinished(result: BulkResult, refusal: string): Verdict {
    const { queue } = this.order;
    const message =
      `Expected to delete queue '${queue}' with its tasks, but it refuses: ${refusal}. ` +
      `${result.done} tasks are deleted. Retry this task to go on.`;
    return this.run.fail('business', message, { details: { ...result } });
  }
}
