import type { Json, SettleVerdict, TaskStatus } from '@waybill/contracts';
import type { Task } from './task.js';
import { failureOf, IllegalVerdict, returnTask, type Verdict, verdictOf } from './verdicts.js';

/**
 * Reports the outcome of an item to the service. Returns the item's state afterwards. `illegal`: why the verdict is a
 * failure, if that is not what the handler said.
 */
export type SettleItemBy = (taskId: string, verdict: SettleVerdict, illegal?: Error) => Promise<TaskStatus>;

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
   * `run.fail('business', 'no tax number')`. Resolves with the item's state: if the outcome cannot be recorded, the item
   * has failed for good. Rejects with `LEASE_LOST` if the item is no longer leased to the job.
   */
  async settle(outcome?: unknown): Promise<TaskStatus> {
    const [{ settlement }, illegal] = judged(outcome);
    if (settlement === null) throw new TypeError('Expected a verdict on an item, but got one on a step of the job');
    return this.settleBy(this.task.taskId, settlement, illegal);
  }

  /** Returns the item to its queue at once. The attempt does not count. */
  giveBack(): Promise<TaskStatus> {
    return this.settleBy(this.task.taskId, returnTask().settlement!);
  }
}

/** The verdict for an outcome. One that does not exist is a failure. */
function judged(outcome: unknown): [verdict: Verdict, illegal?: Error] {
  try {
    return [verdictOf(outcome)];
  } catch (error) {
    if (!(error instanceof IllegalVerdict)) throw error;
    return [failureOf(error), error];
  }
}
