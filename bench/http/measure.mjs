import { Meter, costOf } from '../measure/meter.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';
import { startService } from '../systems/waybill-service.mjs';
import { costOfIdling } from './idle.mjs';
import { Lives } from './lives.mjs';
import { ServiceCaller } from './service-caller.mjs';
import { costsOfWorkers } from './workers.mjs';

/** A batch of one costs as much as one of a hundred nearly: few of them say enough. */
const MOST_BATCHES = 1_000;

/**
 * Measures the services of all checkouts on databases of their own. Each kind and size is measured on one after the other
 * in each round, so that whatever else the machine does hits all of them. The first round warms up and does not count.
 */
export async function measureServices(postgres, checkouts, size, say) {
  const services = await startAll(postgres, checkouts);
  try {
    const idle = await inTurn(services, (service) => costOfIdling(service, size.idleSeconds));
    say(`idle for ${size.idleSeconds} s`);
    const lives = await measureLives(services, size, say);
    return { idle, lives, workers: await costsOfWorkers(services, size, say) };
  } finally {
    for (const { stop } of Object.values(services)) await stop();
  }
}

async function startAll(postgres, checkouts) {
  const services = {};
  for (const [name, checkout] of Object.entries(checkouts)) {
    const databaseUrl = await postgres.database(`http_${name}`);
    const { url, pid, stop } = await startService(databaseUrl, checkout);
    const caller = new ServiceCaller(url);
    services[name] = { checkout, url, databaseUrl, pid, caller, stop: () => (caller.close(), stop()) };
  }
  return services;
}

async function measureLives(services, { kinds, batches, tasks, rounds }, say) {
  const found = kinds.flatMap((kind) => batches.map((batch) => ({ kind, batch, rounds: [] })));
  for (let round = 0; round <= rounds; round++)
    for (const { kind, batch, rounds: measured } of found) {
      const count = Math.min(tasks, batch * MOST_BATCHES);
      const one = await inTurn(services, (service) => measureKind(service, kind, batch, count));
      if (round > 0) measured.push(one);
      say(`round ${round}, ${kind} by ${batch}: ${inWords(one)}`);
    }
  return found;
}

async function inTurn(services, measure) {
  const found = {};
  for (const [name, service] of Object.entries(services)) found[name] = await measure(service);
  return found;
}

async function measureKind({ databaseUrl, pid, caller }, kind, batch, count) {
  const lives = await Lives.of(caller, kind, count);
  const meter = await Meter.open({ url: databaseUrl }, [pid]);
  try {
    const enqueue = await phase(meter, count, () => lives.enqueue(batch));
    await lives.open();
    return { enqueue, drain: await phase(meter, count, () => lives.drain(batch)) };
  } finally {
    await meter.close();
  }
}

/** Tasks a second, and microseconds of processor time a task in Postgres and in Node; the callers' own count as Node's. */
async function phase(meter, count, work) {
  const before = await meter.read();
  const watch = new Stopwatch();
  await work();
  watch.stop();
  return { rate: watch.rate(count), ...costOf(before, await meter.read(), count) };
}

const inWords = (one) =>
  Object.entries(one)
    .map(([name, { enqueue, drain }]) => `${name} ${Math.round(enqueue.rate)} and ${Math.round(drain.rate)}/s`)
    .join(', ');
