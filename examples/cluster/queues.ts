import type { QueueHandle, Waybill } from '@waybill/client';

/** An order of a shop. */
export interface Order {
  readonly number: number;
  /** In cents. */
  readonly amount: number;
}

/** The queues of the services of a shop, for one month. */
export class ShopQueues {
  /** Any server may charge, each two orders at a time. */
  readonly payments: QueueHandle<Order>;
  /** One order after another is booked, in the whole cluster. */
  readonly ledger: QueueHandle<Order>;
  /** Waits until the ledger is finished. */
  readonly statements: QueueHandle<null>;

  constructor(waybill: Waybill, month: string) {
    this.payments = waybill.queue(`payments-${month}`);
    this.ledger = waybill.queue(`ledger-${month}`);
    this.statements = waybill.queue(`statements-${month}`);
  }

  async define(): Promise<void> {
    const preset = { preset: 'cluster-tasks' };
    await this.payments.define({ concurrency: { perServer: 2 } }, preset);
    await this.ledger.define({ concurrency: 'serial', takeoverSeconds: 2, finite: true }, preset);
    await this.statements.define({ waitsFor: [this.ledger.name], finite: true }, preset);
  }
}

/** An order that must leave nothing behind. */
export class OutOfStock extends Error {
  override readonly name = 'OutOfStock';
}

/** Publishes what follows from an order: all of it, or nothing. Throws `OutOfStock`. */
export async function takeOrder(
  waybill: Waybill,
  { payments, ledger }: ShopQueues,
  order: Order,
  inStock: (order: Order) => boolean,
): Promise<void> {
  await waybill.transaction((tx) => {
    tx.queue(payments.name).enqueue(order, { reference: `payment ${order.number}` });
    tx.queue(ledger.name).enqueue(order, { reference: `booking ${order.number}` });
    if (!inStock(order)) throw new OutOfStock(`Expected order ${order.number} to be in stock, but it is not`);
  });
}
