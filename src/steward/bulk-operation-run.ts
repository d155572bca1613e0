import { type Receipt, type Run, type TaskFilter, type TaskHandle, type Waybill, WaybillError } from '@waybill/client';
import type { BulkCheckpoint, BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import type { BulkCommand, BulkOperation, BulkResult } from '../application/bulk-operations/bulk-operation.js';
import { isReserved } from '../domain/queue/reserved.js';
import { BulkTally } from './bulk-tally.js';

/** Commands that are given at once share appends. */
const AT_ONCE = 50;
/** The tasks between two checkpoints. After an interruption, as many are given the command again, which changes nothing. */
const PER_CHECKPOINT = 500;

type Options = { readonly reason?: string; readonly idempotencyKey: string; readonly requestId: string };

const COMMANDS: Readonly<
  Record<BulkCommand, (task: TaskHandle, options: Options, order: BulkOperation) => Promise<Receipt>>
> = {
  retry: (task, options) => task.retry(options),
  cancel: (task, options) => task.cancel(options),
  abort: (task, options) => task.abort(options),
  hold: (task, options) => task.hold(options),
  release: (task, options) => task.release(options),
  prioritise: (task, options, { priority }) => task.prioritise(priority!, options),
  delete: (task, options) => task.delete(options),
};

/** One attempt of an operation. `waybill` acts as the person who ordered it. */
export class BulkOperationRun {
  private readonly order: BulkOperation;
  private readonly id: string;

  constructor(
    private readonly run: Run<BulkOperation>,
    private readonly waybill: Waybill,
    private readonly checkpoints: BulkCheckpoints,
  ) {
    this.order = run.task.payload;
    this.id = run.task.taskId;
  }

  /**
   * Gives the command to each task. A checkpoint precedes the commands of its tasks, and each command has an idempotency
   * key, so an interrupted operation neither skips a task nor asks it twice.
   */
  async finish(): Promise<BulkResult> {
    let at = (await this.checkpoints.last(this.id)) ?? (await this.beginning());
    for (;;) {
      await this.save(at);
      const result = await this.giveTo(at);
      if (at.cursor === null) return result;
      at = { ...(await this.page(at.cursor)), result };
    }
  }

  private async beginning(): Promise<BulkCheckpoint> {
    const { tasks } = this.order;
    const result = new BulkTally().result;
    return tasks ? { tasks: [...new Set(tasks)], cursor: null, result } : { ...(await this.page()), result };
  }

  /** The next tasks, of those that were there when the operation was ordered. Others were not meant, and may never end. */
  private async page(cursor?: string): Promise<Pick<BulkCheckpoint, 'tasks' | 'cursor'>> {
    const [filter, until] = [filterOf(this.order.filter ?? {}), this.run.task.enqueuedAt];
    const { items, nextCursor } = await this.waybill.tasks.page(filter, { cursor, limit: PER_CHECKPOINT });
    const meant = items.filter(
      ({ id, queue, enqueuedAt }) =>
        id !== this.id && enqueuedAt! <= until && (filter.queue !== undefined || !isReserved(queue)),
    );
    return { tasks: meant.map(({ id }) => id), cursor: nextCursor };
  }

  private async save(checkpoint: BulkCheckpoint): Promise<void> {
    if (await this.checkpoints.save(this.id, this.run.fencingToken, checkpoint)) return;
    throw new Error('Expected to save how far the operation is, but a later attempt has done so');
  }

  private async giveTo({ tasks, result }: BulkCheckpoint): Promise<BulkResult> {
    const tally = new BulkTally(result);
    const rest = tasks.values();
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      for (const task of rest) {
        this.run.signal.throwIfAborted();
        tally.add(task, await this.give(task));
        this.run.progress('tasks', { end: Math.max(tally.asked, this.order.expected), position: tally.asked });
      }
    });
    // Waits for all, so that no command is still given after the attempt has ended.
    for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
    return tally.result;
  }

  /** The code of the refusal; null if there was none. */
  private async give(task: string): Promise<string | null> {
    const { reason, command } = this.order;
    const options = {
      idempotencyKey: `op:${this.id}:${task}`,
      requestId: this.id,
      ...(reason !== undefined && { reason }),
    };
    try {
      await COMMANDS[command](this.waybill.task(task), options, this.order);
      return null;
    } catch (error) {
      if (!(error instanceof WaybillError) || error.status >= 500 || error.status === 429) throw error;
      return error.code;
    }
  }
}

function filterOf({ label, ...filter }: NonNullable<BulkOperation['filter']>): TaskFilter {
  const colon = label?.indexOf(':') ?? 0;
  return { ...filter, ...(label && { label: { name: label.slice(0, colon), value: label.slice(colon + 1) } }) };
}
