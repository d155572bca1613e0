import type { Run } from '@waybill/client';
import type { BulkCheckpoint, BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import type { BulkOperation, BulkResult } from '../application/bulk-operations/bulk-operation.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import type { ManyTasks } from '../application/tasks/operate-tasks.handler.js';
import { isReserved } from '../domain/queue/reserved.js';
import type { TaskPage } from '../projections/tasks/tasks.queries.js';
import { bulkCommand } from './bulk-command.js';
import { BulkTally } from './bulk-tally.js';

/** The tasks between two checkpoints, also the most in a page of a list. */
const PER_CHECKPOINT = 500;
/** The tasks of one append, which holds up the appends of others. Those of a checkpoint are made at the same time. */
const AT_ONCE = 100;

export interface BulkWork {
  /** A page of the tasks that match. */
  page(filter: NonNullable<BulkOperation['filter']>, cursor: string | null, limit: number): Promise<TaskPage>;
  /** The code of each task's refusal, in order, or null. */
  give(many: ManyTasks, context: CommandContext): Promise<readonly (string | null)[]>;
  readonly checkpoints: BulkCheckpoints;
}

/** One attempt of an operation. */
export class BulkOperationRun {
  private readonly order: BulkOperation;
  private readonly id: string;

  constructor(
    private readonly run: Run<BulkOperation>,
    private readonly work: BulkWork,
  ) {
    this.order = run.task.payload;
    this.id = run.task.taskId;
  }

  /**
   * Gives the command to each task. A checkpoint precedes the commands of its tasks, and a task takes the command of an
   * operation only once, so an interrupted operation neither skips a task nor changes one twice.
   */
  async finish(): Promise<BulkResult> {
    const last = await this.work.checkpoints.last(this.id);
    let at = last ?? (await this.beginning());
    for (let isRepeated = last !== null; ; isRepeated = false) {
      await this.save(at);
      const result = await this.giveTo(at, isRepeated);
      if (at.cursor === null) return result;
      at = { ...(await this.page(at.cursor)), result };
    }
  }

  private async beginning(): Promise<BulkCheckpoint> {
    const { tasks } = this.order;
    const result = new BulkTally().result;
    return tasks ? { tasks: [...new Set(tasks)], cursor: null, result } : { ...(await this.page(null)), result };
  }

  /** The next tasks, of those that were there when the operation was ordered. Others were not meant, and may never end. */
  private async page(cursor: string | null): Promise<Pick<BulkCheckpoint, 'tasks' | 'cursor'>> {
    const [filter, until] = [this.order.filter ?? {}, this.run.task.enqueuedAt];
    const { items, nextCursor } = await this.work.page(filter, cursor, PER_CHECKPOINT);
    const meant = items.filter(
      ({ id, queue, enqueuedAt }) =>
        id !== this.id && enqueuedAt <= until && (filter['queue'] !== undefined || !isReserved(queue)),
    );
    return { tasks: meant.map(({ id }) => id), cursor: nextCursor };
  }

  private async save(checkpoint: BulkCheckpoint): Promise<void> {
    if (await this.work.checkpoints.save(this.id, this.run.fencingToken, checkpoint)) return;
    throw new Error('Expected to save how far the operation is, but a later attempt has done so');
  }

  private async giveTo({ tasks, result }: BulkCheckpoint, isRepeated: boolean): Promise<BulkResult> {
    this.run.signal.throwIfAborted();
    const [operation, tally] = [bulkCommand(this.order), new BulkTally(result)];
    const given = chunksOf(tasks).map(async (some) => {
      const many = { tasks: some, operation, origin: `op:${this.id}`, isRepeated };
      const codes = await this.work.give(many, this.context);
      some.forEach((task, index) => tally.add(task, codes[index]!));
      this.run.progress('tasks', { end: Math.max(tally.asked, this.order.expected), position: tally.asked });
    });
    // Waits for all, so that no command is still given after the attempt has ended.
    for (const one of await Promise.allSettled(given)) if (one.status === 'rejected') throw one.reason;
    return tally.result;
  }

  /** Every command has the name and the reason of the person who ordered the operation. */
  private get context(): CommandContext {
    const { by: actor, reason } = this.order;
    return { actor, correlationId: this.id, ...(reason !== undefined && { reason }) };
  }
}

const chunksOf = (tasks: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(tasks.length / AT_ONCE) }, (_, at) => tasks.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
