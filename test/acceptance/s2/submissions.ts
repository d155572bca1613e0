import { expect } from '@jest/globals';
import type {
  BatchHandle,
  BatchReport,
  BatchView,
  ClaimedTask,
  PolicyChanges,
  SettleVerdict,
  TaskSummary,
  Waybill,
} from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { RunningService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

type Definition = Parameters<Waybill['createBatch']>[0];

/** Submissions to a repository, each with the task that plans it, and their jobs. */
export class Submissions {
  private readonly suffix = uuidv7();
  readonly queue = `submissions-${this.suffix}`;
  readonly jobs = `jobs-${this.suffix}`;

  private constructor(
    readonly service: RunningService,
    readonly waybill: Waybill,
  ) {}

  static async of(
    service: RunningService,
    { policy = {}, jobs = {} as PolicyChanges, waybill = service.waybill } = {},
  ): Promise<Submissions> {
    const made = new Submissions(service, waybill);
    await waybill.queue(made.queue).define(policy, { preset: 'repository-submissions' });
    await waybill.queue(made.jobs).define({ clearFailuresOnSuccess: false, onFailure: 'fail', ...jobs });
    return made;
  }

  submit(more: Partial<Definition> = {}): Promise<BatchHandle> {
    return this.waybill.createBatch({ name: 'maps 1723', plan: { queue: this.queue, payload: {} }, ...more });
  }

  /** A submission that is planned: its jobs may run. */
  async planned(jobs: readonly string[], more: Partial<Definition> = {}): Promise<BatchHandle> {
    const batch = await this.submit(more);
    await this.plan(batch, jobs);
    return batch;
  }

  /** A worker plans the submission. */
  async plan(batch: BatchHandle, jobs: readonly string[]): Promise<void> {
    const worker = this.waybill.worker({ logger: null, waitMs: 50 }).plan(this.queue, (task, plan) => {
      expect(task.plans).toBe(plan.id);
      for (const job of jobs) plan.add(this.jobs, { job }, { reference: job });
    });
    await worker.start();
    await until('the submission to be planned', async () => ((await batch.get()).state === 'planning' ? null : true));
    await worker.stop();
  }

  /** A worker has the planner of a submission in its hands. */
  async claimPlanner(worker = 'planner'): Promise<ClaimedTask> {
    const [task] = await this.waybill.queue(this.queue).claim({ worker });
    return task!;
  }

  /** Runs the jobs of these names that may run. They end as said. */
  async run(ends: Readonly<Record<string, 'succeed' | 'fail'>>): Promise<void> {
    const claimed = await this.waybill.queue(this.jobs).claim({ worker: 'jobs-1', max: 100 });
    const named = claimed.filter(({ reference }) => ends[reference!] !== undefined);
    expect(named.map(({ reference }) => reference).sort()).toEqual(Object.keys(ends).sort());
    await this.settle(claimed, ({ reference }) => ends[reference!] ?? 'return');
  }

  /** The service takes this report. */
  async told({ taskId, token }: ClaimedTask, verdict: SettleVerdict): Promise<void> {
    expect((await this.waybill.settle([{ taskId, token, verdict }]))[0]).not.toHaveProperty('problem');
  }

  async settle(
    tasks: readonly ClaimedTask[],
    verdictOf: (task: ClaimedTask) => 'succeed' | 'fail' | 'return',
  ): Promise<void> {
    const verdict = (task: ClaimedTask) => {
      const type = verdictOf(task);
      return type === 'fail' ? { type, error: { message: 'no such file', class: 'business' as const } } : { type };
    };
    const items = tasks.map((task) => ({ taskId: task.taskId, token: task.token, verdict: verdict(task) }));
    for (const result of await this.waybill.settle(items as never)) expect(result).not.toHaveProperty('problem');
  }

  /** A job of the submission, by its name. */
  async job(batch: BatchHandle, name: string): Promise<TaskSummary> {
    const { items } = await this.waybill.tasks.page({ batch: batch.id, reference: name });
    return items[0]!;
  }

  async retry(batch: BatchHandle, ...names: readonly string[]): Promise<void> {
    for (const name of names) await this.waybill.task((await this.job(batch, name)).id).retry();
  }

  /** The submission once it is in the state, in the source's words. */
  becomes(batch: BatchHandle, stateName: string): Promise<BatchView> {
    return until(`the submission to be ${stateName}`, async () => {
      const view = await batch.get();
      return view.stateName === stateName ? view : null;
    });
  }

  async reports(batch: BatchHandle): Promise<BatchReport[]> {
    const reports: BatchReport[] = [];
    for await (const report of batch.reports()) reports.unshift(report);
    return reports;
  }
}

/** What a report says has changed, by the names of the jobs. */
export const changesIn = ({ changes }: BatchReport): Record<string, string> =>
  Object.fromEntries(changes.map(({ name, from, state }) => [name!, from === undefined ? state : `${from} ${state}`]));
