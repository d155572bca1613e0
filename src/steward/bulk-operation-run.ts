import type { Run } from '@waybill/client';
import type { BulkOperation, BulkResult } from '../application/bulk-operations/bulk-operation.js';
import { isReserved } from '../domain/queue/reserved.policy.js';
import type { TaskPage } from '../projections/tasks/tasks.queries.js';
import { bulkCommand } from './bulk-command.js';
import { type BulkPage, BulkPass, contextOf, type PassWork } from './bulk-pass.js';

/** The tasks between two checkpoints, also the most in a page of a list. */
const PER_CHECKPOINT = 500;

export interface BulkWork extends PassWork {
  /** A page of the tasks that match. */
  page(filter: NonNullable<BulkOperation['filter']>, cursor: string | null, limit: number): Promise<TaskPage>;
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

  finish(): Promise<BulkResult> {
    const { order } = this;
    const pass = new BulkPass(this.run, this.work, {
      operation: bulkCommand(order),
      expected: order.expected,
      context: contextOf(this.id, order),
      page: (cursor) => this.page(cursor),
    });
    return pass.finish();
  }

  /** The next tasks, of those that were there when the operation was ordered. Others were not meant, and may never end. */
  private async page(cursor: string | null): Promise<BulkPage> {
    const { tasks, filter = {} } = this.order;
    if (tasks) return { tasks: [...new Set(tasks)], cursor: null };
    const until = this.run.task.enqueuedAt;
    const { items, nextCursor } = await this.work.page(filter, cursor, PER_CHECKPOINT);
    const meant = items.filter(
      ({ id, queue, enqueuedAt }) =>
        id !== this.id && enqueuedAt! <= until && (filter['queue'] !== undefined || !isReserved(queue)),
    );
    return { tasks: meant.map(({ id }) => id), cursor: nextCursor };
  }
}
