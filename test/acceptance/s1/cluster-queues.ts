import {
  type ErrorClass,
  type EventView,
  type ClaimedTask,
  type PolicyChanges,
  type QueueHandle,
  type QueueView,
  type Receipt,
  type SettleVerdict,
  type Waybill,
  WaybillError,
} from '@waybill/client';
import type { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { until } from '../../support/until.js';

/** How long a claim waits for what is certain to come. */
const PATIENCE_MS = 60_000;

/** A thousand appends in one request, each on its own where the events are in EventStoreDB. */
export const PATIENT = { timeoutMs: 600_000 };

let made = 0;

/** A name that no other test's queue has. */
export const newName = (name: string): string => `${name}-${++made}`;

/** A queue of its own for a test. */
export async function makeQueue(waybill: Waybill, name: string, policy: PolicyChanges = {}): Promise<ClusterQueue> {
  const handle = waybill.queue(newName(name));
  await handle.define(policy);
  return new ClusterQueue(waybill, handle);
}

/** What the cluster's services do with one of their queues. */
export class ClusterQueue {
  constructor(
    readonly waybill: Waybill,
    readonly handle: QueueHandle,
  ) {}

  get name(): string {
    return this.handle.name;
  }

  async publish(payload?: unknown): Promise<string> {
    return (await this.handle.enqueue(payload)).id;
  }

  /** What a worker is given now. */
  async claim(worker = 'w1'): Promise<ClaimedTask | null> {
    const [claimedTask] = await this.handle.claim({ worker });
    return claimedTask ?? null;
  }

  /** What a worker is given that waits for it. */
  async take(worker = 'w1'): Promise<ClaimedTask> {
    const [claimedTask] = await this.handle.claim({ worker, waitMs: PATIENCE_MS });
    if (!claimedTask) throw new Error(`Expected queue '${this.name}' to give something out, but it did not`);
    return claimedTask;
  }

  /** Throws the refusal. */
  async settle({ taskId, token }: Pick<ClaimedTask, 'taskId' | 'token'>, verdict: SettleVerdict): Promise<Receipt> {
    const [result] = await this.waybill.settle([{ taskId, token, verdict }]);
    if ('problem' in result!) throw new WaybillError(result.problem);
    return result!;
  }

  succeed(claimedTask: ClaimedTask): Promise<Receipt> {
    return this.settle(claimedTask, { type: 'succeed' });
  }

  fail(claimedTask: ClaimedTask, message = 'no space left', errorClass: ErrorClass = 'application'): Promise<Receipt> {
    return this.settle(claimedTask, { type: 'fail', error: { message, class: errorClass } });
  }

  async changePolicy(changes: PolicyChanges): Promise<void> {
    const { policyVersion } = await this.handle.get();
    await this.handle.changePolicy(changes, { ifVersion: policyVersion });
  }

  async state(): Promise<QueueView['state']> {
    return (await this.handle.get()).state;
  }

  /** The queue as it is once it has come to the state, by itself. */
  becomes(state: QueueView['state']): Promise<QueueView> {
    return until(`queue '${this.name}' to become ${state}`, async () => {
      const view = await this.handle.get();
      return view.state === state ? view : null;
    });
  }

  /** The types of what was recorded of the queue itself. */
  async history(): Promise<string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  async events(): Promise<EventView[]> {
    const events: EventView[] = [];
    for await (const event of this.waybill.events({ queue: this.name, category: 'queue' })) events.push(event);
    return events;
  }
}

/** In milliseconds, as the times of events are. */
export async function databaseTime(pool: PostgresPool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms');
  return rows[0]!.ms;
}

export { refusalOf } from '../refusal.js';
