import { atLeast, atMost, judged } from '../report/goals.mjs';

const POSTGRES_PEERS = ['pgboss', 'graphile'];

/** The ratio, or null where one side was not measured. */
const ratio = (a, b) => (a === undefined || b === undefined ? null : a / b);

function bestPeer(series = {}) {
  const rates = POSTGRES_PEERS.map((name) => series[name]).filter((rate) => rate !== undefined);
  return rates.length > 0 ? Math.max(...rates) : undefined;
}

/** Of the latencies by backlog. */
const claims = (series) => Object.values(series?.waybill ?? {});

/** What Waybill is to reach in one run: ratios, but for the last one. */
const GOALS = [
  atLeast(1, 'bulk enqueue, history durable : best Postgres peer', ({ bulk }) => ratio(bulk?.waybill, bestPeer(bulk))),
  atLeast(0.8, 'bulk enqueue, caught up : best Postgres peer', ({ bulk }) =>
    ratio(bulk?.waybillCaughtUp, bestPeer(bulk)),
  ),
  atLeast(1, 'drain, history durable : best Postgres peer', ({ drain }) => ratio(drain?.waybill, bestPeer(drain))),
  atLeast(0.8, 'drain, caught up : best Postgres peer', ({ drain }) => ratio(drain?.waybillCaughtUp, bestPeer(drain))),
  atLeast(5, 'single enqueue : pg-boss', ({ single }) => ratio(single?.waybill, single?.pgboss)),
  atLeast(5, 'single enqueue : graphile-worker', ({ single }) => ratio(single?.waybill, single?.graphile)),
  atMost(1, 'latency p99 : graphile-worker', ({ latency }) => ratio(latency?.waybill?.p99, latency?.graphile?.p99)),
  atMost(1.5, 'claim, largest backlog : smallest', ({ claim }) => ratio(claims(claim).at(-1), claims(claim)[0])),
  atLeast(0.9, 'drain under a held xmin : without', ({ heldXmin, drain }) => ratio(heldXmin?.waybill, drain?.waybill)),
  atLeast(3, 'single enqueue over HTTP : pg-boss `send`', ({ single }) => ratio(single?.waybillHttp, single?.pgboss)),
  atLeast(12_000, 'whole lives a second over HTTP, batches of 100', ({ lifecycle }) => lifecycle?.waybillHttp ?? null),
];

export const judge = (medians) => judged(GOALS, medians);
