import { loadavg } from 'node:os';
import { uuidv7 } from 'uuidv7';
import { startWaybill } from '../../dist/index.js';
import { quantile } from '../measure/quantiles.mjs';
import { IndexWaits } from './index-waits.mjs';

const WARM_UP = 50;

/**
 * Transactions of three commands, one after the other, while another caller enqueues into another queue. In milliseconds:
 * how long each transaction and each of the enqueues takes, and how long the index stands still, which is what either waits
 * for it after the store has answered.
 */
export async function measureTransactions({ databaseUrl, store }, count) {
  const eventStorePrefix = `transactions${process.pid}.`;
  const service = await startWaybill({ databaseUrl, eventStoreUrl: store.url, eventStorePrefix, actor: 'bench' });
  try {
    const { waybill } = service;
    const [orders, mail, others] = ['orders', 'mail', 'others'].map((name) => waybill.queue(`${name}-${uuidv7()}`));
    await Promise.all([orders, mail, others].map((queue) => queue.define()));
    const submission = () => submit(waybill, orders, mail);
    await times(Math.min(count, WARM_UP), submission);
    return await besideEnqueues(others, () => times(count, submission));
  } finally {
    await service.stop();
  }
}

async function besideEnqueues(others, transactions) {
  const index = new IndexWaits();
  const done = new AbortController();
  const enqueues = timesUntil(done.signal, () => others.enqueue({}));
  const took = await transactions();
  done.abort();
  const beside = await enqueues;
  index.stop();
  return {
    transaction: spread(took),
    beside: spread(beside),
    index: spread(index.took),
    unindexed: index.unindexed,
    enqueued: beside.length,
    load: loadavg()[0],
  };
}

const submit = (waybill, orders, mail) =>
  waybill.transaction(async (tx) => {
    const order = tx.queue(orders.name).enqueue({ order: 17 });
    tx.queue(mail.name).enqueue({ about: order });
    tx.task(order).hold({ reason: 'bench' });
  });

const spread = (values) => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  p999: quantile(values, 0.999),
  longest: Math.max(...values),
});

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
