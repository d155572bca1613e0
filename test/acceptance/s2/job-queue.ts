import type { ClaimedTask, PolicyChanges, QueueHandle, SettleVerdict, TaskHandle } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { RunningService } from '../../support/running-service.js';

export const STEPS = ['Estimating', 'Provisioning', 'Downloading', 'Processing', 'Recording', 'Notify'] as const;
export type Step = (typeof STEPS)[number];

/** The preset's backoff would keep a test waiting, and its lease would end before a long test on a slow machine. */
const AT_ONCE: PolicyChanges = { retry: { backoff: { kind: 'fixed', baseMs: 0, capMs: 0 } }, leaseMs: 600_000 };

/** The jobs of a repository, in a queue of their own. */
export class JobQueue {
  private constructor(
    private readonly service: RunningService,
    readonly handle: QueueHandle,
  ) {}

  static async in(service: RunningService, policy: PolicyChanges = AT_ONCE): Promise<JobQueue> {
    await service.waybill.resources.define('storage');
    await service.waybill.resources.measure('storage', 10);
    const queue = service.waybill.queue(`jobs-${uuidv7()}`);
    await queue.define(policy, { preset: 'repository-jobs' });
    return new JobQueue(service, queue);
  }

  async enqueue(...given: Parameters<QueueHandle['enqueue']>): Promise<TaskHandle> {
    return this.service.waybill.task((await this.handle.enqueue(...given)).id);
  }

  async claim(...steps: readonly Step[]): Promise<ClaimedTask | undefined> {
    return (await this.handle.claim({ worker: 'w1', ...(steps.length > 0 && { steps: [...steps] }) }))[0];
  }

  /** Waits for a job, which may be due within a moment. */
  async next(step: Step): Promise<ClaimedTask> {
    const [task] = await this.handle.claim({ worker: 'w1', steps: [step], waitMs: 30_000 });
    return task!;
  }

  /** What the service answers to a report. */
  async report({ taskId, token }: ClaimedTask, verdict: SettleVerdict): Promise<string> {
    const [answer] = await this.service.waybill.settle([{ taskId, token, verdict }]);
    return 'problem' in answer! ? answer.problem.code : answer!.state;
  }

  complete(task: ClaimedTask, more: object = {}): Promise<string> {
    return this.report(task, { type: 'completeStep', step: task.step!, then: 'offer', ...more });
  }

  fail(task: ClaimedTask, message = 'it broke', final = false): Promise<string> {
    return this.report(task, { type: 'fail', error: { message }, final });
  }

  /** A claimed job at this step. */
  async at(step: Step): Promise<ClaimedTask> {
    await this.enqueue({});
    let task = await this.claim();
    while (task!.step !== step) {
      await this.complete(task!);
      task = await this.claim();
    }
    return task!;
  }

  /** A job that failed at this step. */
  async failedAt(step: Step, message?: string): Promise<TaskHandle> {
    const task = await this.at(step);
    await this.fail(task, message);
    return this.service.waybill.task(task.taskId);
  }

  async nameOf({ id }: { readonly id: string }): Promise<string> {
    return (await this.service.waybill.task(id).get()).stateName;
  }
}
