import type { Run, Worker } from '@waybill/client';
import { once } from 'node:events';
import type { Books } from './books.js';
import type { Order, ShopQueues } from './queues.js';

/** What goes wrong in this month. */
export interface Troubles {
  /** The server that books this order hangs, until somebody pulls the plug. */
  readonly hangs: number;
  /** The bank does not answer the first time. */
  readonly timesOut: number;
  /** The card is not valid. */
  readonly declined: number;
}

/** A server of the cluster does all kinds of work. */
export function serve(worker: Worker, queues: ShopQueues, books: Books, troubles: Troubles): Worker {
  return worker
    .handle(queues.payments, ({ payload }, { attempt }) => charge(payload, attempt, troubles))
    .handle(queues.ledger, async ({ payload }, run) => {
      await books.book(payload);
      if (payload.number === troubles.hangs && run.attempt === 1) await hang(run);
      return null;
    })
    .handle(queues.statements, () => books.total());
}

function charge({ number, amount }: Order, attempt: number, { timesOut, declined }: Troubles): { charged: number } {
  if (number === declined) throw new Error('The bank says that the card is not valid');
  if (number === timesOut && attempt === 1) throw new Error('The bank did not answer within 5 seconds');
  return { charged: amount };
}

/** The order is booked, but nobody hears of it. */
async function hang({ signal }: Run<Order>): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
