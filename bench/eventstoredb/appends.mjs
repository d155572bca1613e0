import { randomUUID } from 'node:crypto';
import { EventStoreDbLog } from '../../dist/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { inLanes } from '../measure/lanes.mjs';
import { median } from '../measure/quantiles.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';
import { correlationId, data, RawClient } from './raw-client.mjs';

/** Each caller waits for its answer before it appends again. */
const CALLERS = { 'one after the other': 1, '100 callers': 100, '500 callers': 500 };

const adapterWith = (log) => () =>
  log.append([
    {
      stream: `task-${randomUUID()}`,
      expected: -1,
      events: [
        {
          id: randomUUID(),
          event: { type: 'TaskEnqueued', version: 1, data: data() },
          envelope: { actor: 'bench', correlationId },
        },
      ],
    },
  ]);

/**
 * Appends per second of both, and the adapter's share: medians of rounds that alternate, so that other load on the
 * machine affects both.
 */
export async function measureAppends(url, { events, repeat }) {
  const log = new EventStoreDbLog({
    url,
    prefix: `bench${process.pid}.`,
    clock: { iso: () => new Date().toISOString() },
  });
  const client = await RawClient.open(url);
  const ways = { raw: () => client.append(), adapter: adapterWith(log) };
  const results = {};
  for (const [name, callers] of Object.entries(CALLERS)) {
    const count = callers === 1 ? Math.ceil(events / 6) : events;
    results[name] = await beside(ways, repeat, callers, count);
  }
  await Promise.all([log.close(), client.close()]);
  return results;
}

async function beside(ways, repeat, callers, count) {
  const rates = { raw: [], adapter: [] };
  // The first round warms up.
  for (let round = 0; round <= repeat; round++) {
    const order = round % 2 === 0 ? ['raw', 'adapter'] : ['adapter', 'raw'];
    for (const way of order) {
      const watch = new Stopwatch();
      await inLanes(callers, count, ways[way]);
      watch.stop();
      if (round > 0) rates[way].push(watch.rate(count));
    }
  }
  const [raw, adapter] = [median(rates.raw), median(rates.adapter)];
  return { raw, adapter, share: adapter / raw };
}
