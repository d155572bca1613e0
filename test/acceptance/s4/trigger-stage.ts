import type { ClaimedTask, QueueHandle, TaskDetails, TriggerDefinition, TriggerHandle } from '@waybill/client';
import { startService, type RunningService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const LONG_MS = 3_600_000;

/** A service of two processes, in which every test has its own queues and trigger. */
export class TriggerStage {
  number = 0;
  items!: QueueHandle;
  jobs!: QueueHandle;
  trigger!: TriggerHandle;

  private constructor(readonly service: RunningService) {}

  static async open(): Promise<TriggerStage> {
    const service = await startService();
    await service.addInstance();
    return new TriggerStage(service);
  }

  close(): Promise<void> {
    return this.service.stop();
  }

  /** For the next test. */
  async set(): Promise<void> {
    this.number += 1;
    const { waybill } = this.service;
    this.items = waybill.queue(`items-${this.number}`);
    this.jobs = waybill.queue(`robots-${this.number}`);
    this.trigger = waybill.trigger(`trigger-${this.number}`);
    await this.items.define({ leaseMs: LONG_MS });
    await this.jobs.define();
  }

  /** A trigger that looks into the items each second. */
  define(changes: Partial<TriggerDefinition> = {}) {
    const task = { queue: this.jobs.name, kind: 'robot' };
    return this.trigger.define({ queue: this.items.name, every: 1, task, ...changes });
  }

  /** A trigger that only fires by hand. Its first look is over, which would take items that are added while it is disabled. */
  async defineDisabled(changes: Partial<TriggerDefinition> = {}): Promise<void> {
    await this.define({ ...changes, every: 86_400 });
    const begun = new Date().toISOString();
    await until('its first look to be over', async () => ((await this.trigger.get()).next[0]! > begun ? true : null));
    await this.trigger.disable();
  }

  async add(...payloads: readonly unknown[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const payload of payloads) ids.push((await this.items.enqueue(payload as number)).id);
    return ids;
  }

  async jobsMade(): Promise<readonly string[]> {
    const { items: tasks } = await this.service.waybill.tasks.page({ queue: this.jobs.name });
    return tasks.sort((a, b) => a.enqueuedAt!.localeCompare(b.enqueuedAt!)).map(({ id }) => id);
  }

  async itemsIn(state: TaskDetails['state']): Promise<readonly string[]> {
    const { items } = await this.service.waybill.tasks.page({ queue: this.items.name, state });
    return items.map(({ id }) => id).sort();
  }

  nextJobs(more: number): Promise<readonly string[]> {
    return until(`${more} jobs`, async () => {
      const made = await this.jobsMade();
      return made.length >= more ? made : null;
    });
  }

  /** Resolves after the trigger has looked again and found nothing. */
  async lookedAgain(): Promise<void> {
    const { next } = await this.trigger.get();
    const isLater = async () => ((await this.trigger.get()).next[0]! > next[0]! ? true : null);
    await until('the trigger to look again', isLater);
  }

  async post(path: string, body: object): Promise<any> {
    const answer = await fetch(`${this.service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  }

  /** Reports under the claim, and returns what the service answers about it. */
  async settle({ taskId, token }: Pick<ClaimedTask, 'taskId' | 'token'>, type: string): Promise<unknown> {
    const { results } = await this.post('/v1/settlements', { items: [{ taskId, token, verdict: { type } }] });
    return results[0];
  }

  task(id: string): Promise<TaskDetails> {
    return this.service.waybill.task(id).get();
  }

  async eventsOf(id: string): Promise<readonly string[]> {
    return (await this.service.waybill.task(id).history()).map(({ type }) => type);
  }
}
