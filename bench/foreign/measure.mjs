import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startWaybill } from '../../dist/index.js';
import { RawClient } from '../eventstoredb/raw-client.mjs';
import { timeOfProcess } from '../measure/cpu.mjs';
import { costOf, Meter } from '../measure/meter.mjs';
import { median, mediansOf } from '../measure/quantiles.mjs';
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
    const beside = await besideOthers(service.waybill, { databaseUrl, store, rate, seconds });
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

const BESIDE_ROUNDS = 3;

/**
 * Enqueues, raw appends and the processor time of this process, which runs all roles, of Postgres and of the store, without
 * another program and beside it. What a raw append loses beside it is the server's share.
 */
async function besideOthers(waybill, { databaseUrl, store, rate, seconds }) {
  const [raw, meter] = [await RawClient.open(store.url), await Meter.open({ url: databaseUrl })];
  const look = () => lookAt({ queue: waybill.queue('mail'), raw, meter, store, seconds });
  const [alone, beside] = [[], []];
  for (let round = 0; round < BESIDE_ROUNDS; round++) {
    alone.push(await look());
    const writer = spawn(process.execPath, [WRITER, store.url, String(rate)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await pause(1_000);
    beside.push(await look());
    writer.kill();
    await new Promise((resolve) => writer.once('exit', resolve));
  }
  await Promise.all([raw.close(), meter.close()]);
  return comparison(mediansOf(alone), mediansOf(beside), rate);
}

/** Times in milliseconds, and microseconds of processor time a second while nothing of ours happens. */
async function lookAt({ queue, raw, meter, store, seconds }) {
  const enqueue = median(await times(ENQUEUES, () => queue.enqueue({})));
  const append = median(await times(ENQUEUES, () => raw.append()));
  const read = async () => ({ ...(await meter.read()), store: store.pid ? timeOfProcess(store.pid) : null });
  const before = await read();
  await pause(seconds * 1_000);
  const { node, server: postgres, store: storeTime } = costOf(before, await read(), seconds);
  return { enqueue, append, node, postgres, store: storeTime };
}

const ENQUEUES = 100;

function comparison(alone, beside, rate) {
  const perEvent = (name) => (alone[name] === null ? null : (beside[name] - alone[name]) / rate);
  return {
    alone,
    beside,
    ratio: beside.enqueue / alone.enqueue,
    rawRatio: beside.append / alone.append,
    perEvent: { node: perEvent('node'), postgres: perEvent('postgres'), store: perEvent('store') },
  };
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
