import type { Json, SettleVerdict, TaskStatus } from '@waybill/contracts';
import type { Task } from './task.js';
import { returnTask, verdictOf } from './verdicts.js';

/** Reports the outcome of an item to the service. Returns the item's state afterwards. */
export type SettleItemBy = (taskId: string, verdict: SettleVerdict) => Promise<TaskStatus>;

/**
 * One of the tasks that a trigger claimed for the job that runs. It is leased to the job, whose heartbeats extend its
 * lease. An item that the handler does not settle returns to its queue when its lease ends, as a lost attempt.
 */
export class Item<Payload = Json> {
  constructor(
    readonly task: Task<Payload>,
    private readonly settleBy: SettleItemBy,
  ) {}

  get payload(): Payload {
    return this.task.payload;
  }

  /**
   * Ends the item's attempt with whatever a handler may return: nothing, a result, or a verdict such as
   * `run.fail('business', 'no tax number')`. Rejects with `LEASE_LOST` if the item is no longer leased to the job.
   */
  async settle(outcome?: unknown): Promise<TaskStatus> {
    const { settlement } = verdictOf(outcome);
    if (settlement === null) throw new TypeError('Expected a verdict on an item, but got one on a step of the job');
    return this.settleBy(this.task.taskId, settlement);
  }

  /** Returns the item to its queue at once. The attempt does not count. */
  giveBack(): Promise<TaskStatus> {
    return this.settleBy(this.task.taskId, returnTask().settlement!);
  }
}
