import { steps, type Waybill } from '@waybill/client';
import type { FromSchema } from 'json-schema-to-ts';

const BY_NUMBER = {
  type: 'object',
  required: ['number'],
  properties: { number: { type: 'integer' } },
} as const;

interface Order {
  readonly number: number;
}

/** Compiles only if a typed queue takes, and gives its handlers, what its type says. */
export function typedQueue(waybill: Waybill): void {
  const orders = waybill.queue<Order>('orders');
  void orders.enqueue({ number: 7 });
  // @ts-expect-error the number is a text
  void orders.enqueue({ number: '7' });
  waybill.worker().handle(orders, async (task) => task.payload.number.toFixed(2));
  // @ts-expect-error an order has no total
  waybill.worker().handle(orders, async (task) => task.payload.total);
  waybill.worker().handle(orders, steps({ pack: async (task) => task.payload.number.toFixed(2) }));
  // @ts-expect-error an order has no total
  waybill.worker().handle(orders, steps({ pack: async (task) => task.payload.total }));
  steps<Order, { parcels?: number }>({ send: async (task) => task.data.parcels?.toFixed() });
  // @ts-expect-error the data have no weight
  steps<Order, { parcels?: number }>({ send: async (task) => task.data.weight });
  // By a schema, as the how-to about payloads shows.
  const byNumber = waybill.queue<FromSchema<typeof BY_NUMBER>>('orders');
  void byNumber.enqueue({ number: 7 });
  // @ts-expect-error the number is a text
  void byNumber.enqueue({ number: '7' });
  const functions = waybill.functions({ queue: 'orders' });
  const add = functions.task('numbers:add', (_, __, one: number, other: number) => one + other);
  void add(1, 2).then((sum) => sum.toFixed());
  // @ts-expect-error the second argument is missing
  void add(1);
  // @ts-expect-error an argument is a text
  waybill.planBatch({ name: 'sums' }).add(add, [1, '2']);
}
