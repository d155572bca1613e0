import 'reflect-metadata';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { startWaybill } from '../../dist/index.js';
import { fill, seconds } from '../graph/work.mjs';
import { median, quantile } from '../measure/quantiles.mjs';

/** All parts on one service with all its roles, and one queue. Calls `say` after every part. */
export async function measureRetention(url, { ended, tasks }, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const { waybill } = service;
    const queue = waybill.queue('orders');
    await queue.define();
    await fill(queue, tasks * 4);
    await settled(db);
    const empty = await measureUse(waybill, queue, tasks);
    say(`with an empty archive: ${told(empty)}`);
    const seeded = await seconds(() => seed(db, queue.name, ended));
    say(`${ended} ended tasks made in ${seeded.toFixed(1)} s`);
    const preview = await seconds(() => queue.retention({ cancelled: 0 }));
    say(`previewed in ${preview.toFixed(2)} s`);
    const quiet = await claimTimes(waybill, queue, tasks / 5);
    const moving = await measureMoving(waybill, queue, db, ended, tasks);
    say(
      `${Math.round(moving.rate)} a second left the lists; claims of one took ${moving.claims.p99.toFixed(1)} ms (p99)`,
    );
    await settled(db);
    const full = await measureUse(waybill, queue, tasks);
    say(`with a full archive: ${told(full)}`);
    return { empty, full, preview, quiet: summary(quiet), moving };
  } finally {
    await db.end();
    await service.stop();
  }
}

/** What earlier parts left to do for the database is done, so that it does not count in the next one. */
async function settled(db) {
  await db.query('vacuum analyze');
  await db.query('checkpoint');
}

const told = ({ claims, lists }) =>
  `${claims.median.toFixed(2)} ms a claim of ten, ${lists.median.toFixed(2)} ms a list`;

/**
 * Rows of ended tasks as the service writes them, but without events: nothing that is measured reads the log. Cancelled, so
 * that the tasks that are claimed meanwhile stay.
 */
async function seed(db, queue, count) {
  await db.query(
    `insert into tasks (task_id, queue, state, kind, priority, reference, labels, enqueued_at, started_at, finished_at, attempt, worker, seq, position, revision)
     select ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'cancelled', 'task', 0, 'order-' || n, '{"customer": "acme"}', now() - interval '2 days', now() - interval '2 days',
       now() - interval '1 day' - n * interval '1 millisecond', 1, 'w', 0, 0, 2 from generate_series(1, $2::int) as n`,
    [queue, count],
  );
  await db.query('vacuum analyze tasks');
}

const ROUNDS = 200;

/** The milliseconds of claims of ten tasks, and of a page of a list. */
async function measureUse(waybill, queue, tasks) {
  const claims = await claimTimes(waybill, queue, tasks, 10);
  const lists = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const filter of [{ queue: queue.name }, { queue: queue.name, state: 'succeeded' }])
      lists.push((await seconds(() => waybill.tasks.page(filter))) * 1_000);
  return { claims: summary(claims), lists: summary(lists) };
}

/** The milliseconds of each claim, until as many tasks were claimed or `enough` says so. Settling them does not count. */
async function claimTimes(waybill, queue, tasks, max = 1, enough = () => false) {
  const times = [];
  for (let left = tasks; left > 0 && !enough();) {
    const claimed = [];
    for (let round = 0; round < 50 && left > 0; round++) {
      let given;
      times.push((await seconds(async () => (given = await queue.claim({ worker: 'w', max })))) * 1_000);
      claimed.push(...given);
      left -= max;
    }
    if (claimed.length === 0) throw new Error(`Expected ${left} more tasks in '${queue.name}', but got none`);
    const verdict = { type: 'succeed', result: null };
    await waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
  }
  return times;
}

const summary = (times) => ({ median: median(times), p99: quantile(times, 0.99), longest: Math.max(...times) });

/** How many rows a second leave the lists while a worker claims one task after the other. */
async function measureMoving(waybill, queue, db, ended, tasks) {
  let isOver = false;
  const { policyVersion } = await queue.get();
  await queue.changePolicy({ retention: { cancelled: 0 } }, { ifVersion: policyVersion });
  while ((await moved(db)) === 0) await pause(1);
  const from = await moved(db);
  const [claims, rate] = await Promise.all([
    claimTimes(waybill, queue, tasks, 1, () => isOver),
    seconds(async () => {
      while ((await moved(db)) < ended) await pause(200);
      isOver = true;
    }).then((took) => (ended - from) / took),
  ]);
  return { rate, claims: summary(claims) };
}

async function moved(db) {
  const { rows } = await db.query('select coalesce(sum(tasks), 0)::float8 as tasks from archives');
  return rows[0].tasks;
}
