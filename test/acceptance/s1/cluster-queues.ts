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

/** How long a claim waits for a task that certainly arrives. */
const PATIENCE_MS = 60_000;

/** For a thousand appends in one request, which are made separately if the events are in EventStoreDB. */
export const PATIENT = { timeoutMs: 600_000 };

let made = 0;

/** A name that no other test's queue has. */
export const newName = (name: string): string => `${name}-${++made}`;

/** Creates a queue for one test. */
export async function makeQueue(waybill: Waybill, name: string, policy: PolicyChanges = {}): Promise<ClusterQueue> {
  const handle = waybill.queue(newName(name));
  await handle.define(policy);
  return new ClusterQueue(waybill, handle);
}

/** The operations of the cluster's services on one of their queues. */
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

  /** The task that a worker gets now; null if there is none. */
  async claim(worker = 'w1'): Promise<ClaimedTask | null> {
    const [claimedTask] = await this.handle.claim({ worker });
    return claimedTask ?? null;
  }

  /** The task that a waiting worker gets. */
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

  /** The queue once it has reached the state without a command. */
  becomes(state: QueueView['state']): Promise<QueueView> {
    return until(`queue '${this.name}' to become ${state}`, async () => {
      const view = await this.handle.get();
      return view.state === state ? view : null;
    });
  }

  /** The types of the events of the queue itself. */
  async history(): Promise<string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  async events(): Promise<EventView[]> {
    const events: EventView[] = [];
    for await (const event of this.waybill.events({ queue: this.name, category: 'queue' })) events.push(event);
    return events;
  }
}

/** In milliseconds, like the times of events. */
export async function databaseTime(pool: PostgresPool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms');
  return rows[0]!.ms;
}

export { refusalOf } from '../refusal.js';
