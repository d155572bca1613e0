import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startWaybill } from '../../dist/index.js';
import { median } from '../measure/quantiles.mjs';
import { Others } from './writer.mjs';

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url));
const REBUILD = fileURLToPath(new URL('../../dist/maintenance/rebuild.js', import.meta.url));
/** A mebibyte at most. */
const APPEND = 2_000;

/**
 * The cost of the events of another program in the same store: of reads of `own` events among `foreign` ones, of a start
 * after as many, of an enqueue beside `rate` a second, and of the process that follows them. After it wrote, it waits for
 * `settle` seconds, because the server is at work on chunks and index for a while.
 */
export async function measureForeign({ databaseUrl, store, own, foreign, rate, seconds, settle }) {
  const eventStorePrefix = `foreign${process.pid}.`;
  const start = () => startWaybill({ databaseUrl, eventStoreUrl: store.url, eventStorePrefix, actor: 'bench' });
  const others = await Others.open(store.url);
  const began = Date.now();
  let service = await start();
  try {
    const queue = service.waybill.queue('mail');
    await queue.define();
    for (let nth = 0; nth < own; nth++) {
      await write(others, foreign / own);
      await queue.enqueue({ nth });
    }
    const written = (Date.now() - began) / 1_000;
    await pause(settle * 1_000);
    const reads = await readsOf(service.waybill, databaseUrl, began);
    await write(others, foreign);
    await pause(settle * 1_000);
    await service.stop();
    const [restart, restarted] = await timeOf(start);
    service = restarted;
    const [afterRestart] = await timeOf(() => count(service.waybill.events({ queue: 'mail' })));
    const beside = await besideOthers(service.waybill, { store, rate, seconds });
    await service.stop();
    const rebuilds = await rebuildsOf({ databaseUrl, store, eventStorePrefix });
    service = null;
    return { ...reads, restart, afterRestart, ...beside, ...rebuilds, written };
  } finally {
    await service?.stop();
    await others.close();
  }
}

async function write(others, events) {
  for (let left = Math.round(events); left > 0; left -= APPEND) await others.append(Math.min(left, APPEND));
}

/** With nothing known of the log, and then again. */
async function readsOf(waybill, databaseUrl, began) {
  const all = () => count(waybill.events({ queue: 'mail' }));
  const [followed] = await timeOf(all);
  await query(databaseUrl, 'truncate log_stretches');
  const [first] = await timeOf(all);
  const again = median(await times(5, all));
  const since = median(await times(5, () => count(waybill.events({ since: '1m', limit: 20 }))));
  const whole = median(await times(5, () => count(waybill.events({ since: new Date(began - 3_600_000), limit: 20 }))));
  return { followed, first, again, since, whole };
}

/** Enqueues and the processor time of this process, which runs all roles, without another program and beside it. */
async function besideOthers(waybill, { store, rate, seconds }) {
  const queue = waybill.queue('mail');
  const [alone, beside] = [[], []];
  const [idle, busy] = [[], []];
  for (let round = 0; round < 3; round++) {
    alone.push(await enqueueTime(queue));
    idle.push(await processorShare(seconds));
    const writer = spawn(process.execPath, [WRITER, store.url, String(rate)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await pause(1_000);
    beside.push(await enqueueTime(queue));
    busy.push(await processorShare(seconds));
    writer.kill();
    await new Promise((resolve) => writer.once('exit', resolve));
  }
  const [enqueue, enqueueBeside] = [median(alone), median(beside)];
  const [idleMs, busyMs] = [median(idle), median(busy)];
  return { enqueue, enqueueBeside, ratio: enqueueBeside / enqueue, idleMs, busyMs };
}

const ENQUEUES = 100;

const enqueueTime = async (queue) => median(await times(ENQUEUES, () => queue.enqueue({})));

/** Milliseconds of processor time a second. */
async function processorShare(seconds) {
  const before = process.cpuUsage();
  await pause(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / seconds;
}

async function rebuildsOf({ databaseUrl, store, eventStorePrefix }) {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    EVENT_STORE_URL: store.url,
    EVENT_STORE_PREFIX: eventStorePrefix,
  };
  const [rebuild] = await timeOf(() => run([REBUILD, 'all'], env));
  return { rebuild };
}

async function run(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`Expected ${args.join(' ')} to end well, but it ended with ${code}`);
}

async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function count(events) {
  let found = 0;
  for await (const _ of events) found++;
  return found;
}

async function times(rounds, work) {
  const took = [];
  for (let round = 0; round < rounds; round++) took.push((await timeOf(work))[0]);
  return took;
}

async function timeOf(work) {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}
