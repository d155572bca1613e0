import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startWaybill } from '../../dist/index.js';
import { inLanes } from '../measure/lanes.mjs';
import { Meter } from '../measure/meter.mjs';

const SETTLING_MS = 3_000;

/**
 * Percent of one core that the service, with all its roles, and Postgres take while nothing happens: without triggers,
 * and with many, each of which looks into a queue of its own. Calls `say` for each part.
 */
export async function measureTriggers(url, size, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const meter = await Meter.open({ url });
  try {
    await service.waybill.queue('jobs').define();
    await inLanes(8, size.triggers, (at) => service.waybill.queue(`items-${at}`).define());
    const without = await idle(meter, size.seconds / 2);
    say(`without triggers: ${JSON.stringify(without)}`);
    await defineAll(service.waybill, size);
    const looksBefore = await looks(service.waybill);
    const withMany = await idle(meter, size.seconds);
    say(`with ${size.triggers} triggers: ${JSON.stringify(withMany)}`);
    expectLooks(looksBefore, await looks(service.waybill), size);
    return { without, with: withMany, triggers: withMany.total - without.total };
  } finally {
    await meter.close();
    await service.stop();
  }
}

/** Spread over an interval, so that some of them are due in every second. */
async function defineAll(waybill, { triggers, every }) {
  const begin = performance.now();
  for (let at = 0; at < triggers; at++) {
    await waybill.trigger(`trigger-${at}`).define({ queue: `items-${at}`, every, task: { queue: 'jobs' } });
    await pause(Math.max(0, begin + ((at + 1) * every * 1_000) / triggers - performance.now()));
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Without the garbage of the preparations, which Node would collect some seconds later. */
async function idle(meter, seconds) {
  collectGarbage();
  await pause(SETTLING_MS);
  const [begin, before] = [performance.now(), await meter.read()];
  await pause(seconds * 1_000);
  const [after, end] = [await meter.read(), performance.now()];
  const percent = (name) => ((after[name] - before[name]) / ((end - begin) * 1_000)) * 100;
  return { node: percent('node'), server: percent('server'), total: percent('node') + percent('server') };
}

/** When each trigger looks next. */
async function looks(waybill) {
  const found = new Map();
  for await (const { name, next } of waybill.triggers()) found.set(name, Date.parse(next[0]));
  return found;
}

/** Without it, triggers that do nothing would be the cheapest. */
function expectLooks(before, after, { every, seconds }) {
  const late = [...after].filter(([name, next]) => next < before.get(name) + (seconds - every) * 1_000);
  if (after.size !== before.size || late.length > 0)
    throw new Error(`Expected every trigger to look each ${every} s, but ${late.length} of ${before.size} did not`);
}
