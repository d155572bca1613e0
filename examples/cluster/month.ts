import type { QueueHandle, TaskDetails, TaskStatus, Waybill } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';
import { type Order, OutOfStock, ShopQueues, takeOrder } from './queues.js';
import type { Troubles } from './server.js';

/** The cluster's servers, of which one dies. */
export interface Cluster {
  readonly waybill: Waybill;
  startServers(): Promise<void>;
  /** Ends a server at once, as a power cut does. */
  kill(server: string): Promise<void>;
}

export interface Month {
  readonly name: string;
  readonly orders: readonly Order[];
  /** An order that cannot be delivered. */
  readonly outOfStock: number;
  readonly troubles: Troubles;
}

export interface MonthOptions {
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
}

export interface ClosedMonth {
  readonly payments: readonly TaskDetails[];
  readonly bookings: readonly TaskDetails[];
  readonly statement: TaskDetails;
  readonly killed: string;
}

const LOOK_MS = 100;

/** Takes the orders of a month, and closes it. */
export async function closeMonth(cluster: Cluster, month: Month, options: MonthOptions): Promise<ClosedMonth> {
  const closing = new Closing(cluster, month, options);
  await closing.begin();
  await cluster.startServers();
  const killed = await closing.killWhoHangs();
  await closing.decide();
  await closing.finish();
  return { killed, ...(await closing.result()) };
}

class Closing {
  private readonly waybill: Waybill;
  private readonly queues: ShopQueues;

  constructor(
    private readonly cluster: Cluster,
    private readonly month: Month,
    private readonly options: MonthOptions,
  ) {
    this.waybill = cluster.waybill;
    this.queues = new ShopQueues(this.waybill, month.name);
  }

  async begin(): Promise<void> {
    const { orders, outOfStock } = this.month;
    await this.queues.define();
    await this.queues.statements.enqueue(null, { reference: 'statement' });
    await this.queues.statements.closeIntake({ reason: 'One statement a month' });
    for (const order of orders) await this.take(order, outOfStock);
  }

  private async take(order: Order, outOfStock: number): Promise<void> {
    try {
      await takeOrder(this.waybill, this.queues, order, ({ number }) => number !== outOfStock);
    } catch (error) {
      if (!(error instanceof OutOfStock)) throw error;
      this.options.onNote(`${error.message}: nothing is charged or booked`);
    }
  }

  /** Returns the server's name. */
  async killWhoHangs(): Promise<string> {
    const { hangs } = this.month.troubles;
    const { worker } = await this.one(this.queues.ledger, 'running', `booking ${hangs}`);
    this.options.onNote(`${worker} hangs while it books order ${hangs}, and is killed`);
    await this.cluster.kill(worker!);
    return worker!;
  }

  /** What an accountant does with the payments that went wrong. */
  async decide(): Promise<void> {
    const { timesOut, declined } = this.month.troubles;
    const [again, never] = [
      await this.one(this.queues.payments, 'undecided', `payment ${timesOut}`),
      await this.one(this.queues.payments, 'undecided', `payment ${declined}`),
    ];
    this.options.onNote(`Payment ${timesOut} is in ERROR (${again.error?.message}): an accountant decides to retry it`);
    await this.waybill.task(again.id).decide('retry', { reason: 'The bank answers again' });
    this.options.onNote(`Payment ${declined} is in ERROR (${never.error?.message}): an accountant lets it fail`);
    await this.waybill.task(never.id).decide('fail', { reason: 'The customer sends another card' });
  }

  async finish(): Promise<void> {
    const { ledger, statements } = this.queues;
    this.options.onNote(`The month is over: ${ledger.name} takes no more, and ${statements.name} waits for its end`);
    await ledger.closeIntake({ reason: 'The month is over' });
    await this.one(statements, 'succeeded', 'statement');
  }

  async result(): Promise<Omit<ClosedMonth, 'killed'>> {
    const { payments, ledger } = this.queues;
    const retried = `payment ${this.month.troubles.timesOut}`;
    await this.one(payments, 'succeeded', retried);
    const statement = await this.one(this.queues.statements, 'succeeded', 'statement');
    return { payments: await this.tasksOf(payments), bookings: await this.tasksOf(ledger), statement };
  }

  private async tasksOf({ name }: QueueHandle): Promise<TaskDetails[]> {
    const { items } = await this.waybill.tasks.page({ queue: name }, { limit: 100 });
    return Promise.all(items.map(({ id }) => this.waybill.task(id).get()));
  }

  /** The task with this reference, once it is in this state. */
  private async one({ name: queue }: QueueHandle, state: TaskStatus, reference: string): Promise<TaskDetails> {
    for (;;) {
      const { items } = await this.waybill.tasks.page({ queue, state, reference }, { signal: this.options.signal });
      if (items[0]) return this.waybill.task(items[0].id).get();
      await pause(LOOK_MS, null, { signal: this.options.signal });
    }
  }
}
