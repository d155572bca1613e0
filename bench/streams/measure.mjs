import { createWaybill } from '@waybill/client';
import pg from 'pg';
import { inLanes } from '../measure/lanes.mjs';
import { quantile } from '../measure/quantiles.mjs';
import { startService } from '../systems/waybill-service.mjs';
import { enqueueSteadily } from './enqueues.mjs';
import { openStreams } from './readers.mjs';

const BATCH = 500;
const FILL_LANES = 4;

/**
 * Measures enqueues without streams, while streams read the log from its beginning, and while they follow it, several
 * times in turn: whatever else the machine does within a few seconds then hits one round, and not one of the three.
 */
export async function measureStreams(url, { streams, events, seconds, rounds }, say) {
  const service = await startService(url);
  try {
    const waybill = createWaybill({ url: service.url, actor: 'bench' });
    const queue = waybill.queue('streams');
    await queue.define({});
    await fill(queue, events);
    await settle(url);
    const measured = async (name) => {
      const times = timesOf(await enqueueSteadily(queue, seconds));
      say(`${name}: p50 ${times.p50.toFixed(1)} ms, p99 ${times.p99.toFixed(1)} ms`);
      return times;
    };
    await measured('warming up');
    const found = [];
    while (found.length < rounds) found.push(await measureRound(service.url, { streams, events }, measured));
    return { rounds: found };
  } finally {
    await service.stop();
  }
}

async function measureRound(url, { streams, events }, measured) {
  const without = await measured('without streams');
  const readers = openStreams(url, streams, events);
  try {
    await readers.opened;
    const readingBack = await measured(`while ${streams} streams read the log`);
    const following = await readers.caughtUp.then(() => measured(`while ${streams} streams follow the log`));
    return { without, readingBack, following, secondsToCatchUp: readers.secondsToCatchUp() };
  } finally {
    readers.close();
  }
}

/** What the filling left to do for the database is done, so that it does not count. */
async function settle(url) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query('vacuum analyze');
  await db.query('checkpoint');
  await db.end();
}

const fill = (queue, events) =>
  inLanes(FILL_LANES, Math.ceil(events / BATCH), () =>
    queue.enqueueMany(Array.from({ length: BATCH }, () => ({ payload: { text: 'filling' } }))),
  );

const timesOf = (times) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99), count: times.length });
