import { uuidv7 } from 'uuidv7';
import { startWaybill } from '../../dist/index.js';
import { quantile } from '../measure/quantiles.mjs';

/**
 * Transactions of three commands, one after the other, while another caller enqueues into another queue: how long each
 * takes, in milliseconds, and how long the longest of the others, which wait for the index, too.
 */
export async function measureTransactions({ databaseUrl, store }, count) {
  const eventStorePrefix = `transactions${process.pid}.`;
  const service = await startWaybill({ databaseUrl, eventStoreUrl: store.url, eventStorePrefix, actor: 'bench' });
  try {
    const { waybill } = service;
    const [orders, mail, others] = ['orders', 'mail', 'others'].map((name) => waybill.queue(`${name}-${uuidv7()}`));
    await Promise.all([orders, mail, others].map((queue) => queue.define()));
    const done = new AbortController();
    const beside = timesUntil(done.signal, () => others.enqueue({}));
    const took = await times(count, () => submit(waybill, orders, mail));
    done.abort();
    const waits = await beside;
    return { ...spread(took), beside: Math.max(...waits), enqueued: waits.length };
  } finally {
    await service.stop();
  }
}

const submit = (waybill, orders, mail) =>
  waybill.transaction(async (tx) => {
    const order = tx.queue(orders.name).enqueue({ order: 17 });
    tx.queue(mail.name).enqueue({ about: order });
    tx.task(order).hold({ reason: 'bench' });
  });

const spread = (values) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99), longest: Math.max(...values) });

async function times(count, work) {
  const took = [];
  for (let at = 0; at < count; at++) took.push(await timeOf(work));
  return took;
}

async function timesUntil(signal, work) {
  const took = [];
  while (!signal.aborted) took.push(await timeOf(work));
  return took;
}

async function timeOf(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
