import type { Run, Verdict } from '@waybill/client';
import type { BulkOperation, BulkResult } from '../application/bulk-operations/bulk-operation.js';
import { isReserved } from '../domain/queue/reserved.policy.js';
import type { TaskPage } from '../projections/tasks/tasks.queries.js';
import { bulkCommand } from '../application/bulk-operations/bulk-command.js';
import { type BulkPage, BulkPass, contextOf, type PassWork } from './bulk-pass.js';
import { CanaryTrial, type TrialWork } from './canary-trial.js';

/** The tasks between two checkpoints, also the most in a page of a list. */
const PER_CHECKPOINT = 500;

export interface BulkWork extends PassWork, TrialWork {
  /** A page of the tasks that match. */
  page(filter: NonNullable<BulkOperation['filter']>, cursor: string | null, limit: number): Promise<TaskPage>;
  /** Waits so many milliseconds. Throws the signal's reason when it aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** One attempt of an operation. */
export class BulkOperationRun {
  private readonly order: BulkOperation;
  private readonly id: string;
  private readonly trial: CanaryTrial | null;

  constructor(
    private readonly run: Run<BulkOperation>,
    private readonly work: BulkWork,
  ) {
    this.order = run.task.payload;
    this.id = run.task.taskId;
    this.trial = this.order.canary ? new CanaryTrial(run, work, this.order.canary) : null;
  }

  async finish(): Promise<BulkResult | Verdict> {
    const { order } = this;
    const pass = new BulkPass(this.run, this.work, {
      operation: bulkCommand(order),
      asPreviewed: order.asPreviewed === undefined ? undefined : BigInt(order.asPreviewed),
      expected: order.expected,
      context: contextOf(this.id, order),
      page: (cursor, limit) => this.page(cursor, limit),
      ...(this.trial && { trial: this.trial }),
      pace: (tasks, began) => this.pace(tasks, began),
      keepsTasks: true,
    });
    const result = await pass.finish();
    return this.trial?.stopped(result) ?? result;
  }

  /** The next tasks. With a rate, no more than in a second. */
  private page(cursor: string | null, asked = PER_CHECKPOINT): Promise<BulkPage> {
    const limit = Math.min(asked, PER_CHECKPOINT, this.order.perSecond ?? PER_CHECKPOINT);
    return this.order.tasks ? this.named(this.order.tasks, cursor, limit) : this.matching(cursor, limit);
  }

  private async named(tasks: readonly string[], cursor: string | null, limit: number): Promise<BulkPage> {
    const all = [...new Set(tasks)];
    const end = Number(cursor ?? 0) + limit;
    return { tasks: all.slice(end - limit, end), cursor: end < all.length ? String(end) : null };
  }

  /** Those that were there when the operation was ordered. Others were not meant, and may never end. */
  private async matching(cursor: string | null, limit: number): Promise<BulkPage> {
    const { filter = {} } = this.order;
    const until = this.run.task.enqueuedAt;
    const { items, nextCursor } = await this.work.page(filter, cursor, limit);
    const meant = items.filter(
      ({ id, queue, enqueuedAt }) =>
        id !== this.id && enqueuedAt! <= until && (filter['queue'] !== undefined || !isReserved(queue)),
    );
    return { tasks: meant.map(({ id }) => id), cursor: nextCursor };
  }

  private async pace(tasks: number, began: number): Promise<void> {
    const { perSecond } = this.order;
    if (perSecond === undefined || tasks === 0) return;
    const ms = (tasks / perSecond) * 1_000 - (performance.now() - began);
    if (ms > 0) await this.work.pause(ms, this.run.signal);
  }
}
