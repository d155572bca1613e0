import { uuidv7 } from 'uuidv7';
import { startWaybill } from '../../dist/index.js';
import { inLanes } from '../measure/lanes.mjs';
import { Meter, costOf } from '../measure/meter.mjs';
import { mediansOf } from '../measure/quantiles.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';
import { livesOf } from './lives.mjs';
import { RawClient } from './raw-client.mjs';
import { timeOfProcess } from '../measure/cpu.mjs';

const BATCH = 100;
/** As many as four lanes of batches have under way. */
const RAW_CALLERS = 400;
const EVENTS_PER_LIFE = 3;

/**
 * Whole lives by 100 in process, with all roles, beside raw appends: what three of them per task would reach is the
 * measure. And enqueues beside raw appends, one after the other. Medians of rounds in which both alternate.
 */
export async function measureBesideRaw({ databaseUrl, store }, { tasks, repeat }) {
  const eventStorePrefix = `lives${process.pid}.`;
  const service = await startWaybill({ databaseUrl, eventStoreUrl: store.url, eventStorePrefix, actor: 'bench' });
  const [raw, meter] = [await RawClient.open(store.url), await Meter.open({ url: databaseUrl })];
  try {
    const rounds = [];
    for (let round = 0; round <= repeat; round++) {
      rounds.push({
        ...(await lives(service.waybill, raw, meter, store, tasks)),
        ...(await single(service, raw, tasks / 10)),
      });
    }
    // The first round warms up.
    return mediansOf(rounds.slice(1));
  } finally {
    await Promise.all([service.stop(), raw.close(), meter.close()]);
  }
}

async function lives(waybill, raw, meter, store, tasks) {
  const appends = await rate(RAW_CALLERS, tasks * EVENTS_PER_LIFE, () => raw.append());
  const read = async () => ({ ...(await meter.read()), store: store.pid ? timeOfProcess(store.pid) : null });
  const before = await read();
  const { enqueue, drain, life } = await livesOf(waybill, tasks, BATCH);
  const { node, server, store: storeTime } = costOf(before, await read(), tasks);
  return {
    enqueue,
    drain,
    life,
    raw: appends,
    share: (life * EVENTS_PER_LIFE) / appends,
    node,
    postgres: server,
    store: storeTime,
  };
}

/** One after the other. */
async function single({ waybill }, raw, count) {
  const queue = waybill.queue(`single-${uuidv7()}`);
  await queue.define();
  const appends = await rate(1, count, () => raw.append());
  const enqueues = await rate(1, count, () => queue.enqueue({ to: 'ada@example.org' }));
  return { singleEnqueue: enqueues, singleRaw: appends, singleRatio: appends / enqueues };
}

async function rate(callers, count, work) {
  const watch = new Stopwatch();
  await inLanes(callers, count, work);
  watch.stop();
  return watch.rate(count);
}
