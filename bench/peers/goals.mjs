import { atLeast, atMost, judged } from '../report/goals.mjs';
import { COUNTED_DISK_TASKS } from './counts.mjs';
import { SCALE_GOALS } from '../scale/goals.mjs';
import { pairedRatio } from './result.mjs';

const POSTGRES_PEERS = ['pgboss', 'graphile'];

/** The ratio to the Postgres peer that was fastest in the same round. */
function toBestPeer(series, ours) {
  const peers = POSTGRES_PEERS.map((name) => series?.[name]).filter((samples) => samples !== undefined);
  if (peers.length === 0 || !series[ours]) return null;
  const best = series[ours].map((_, round) => highest(peers.map((samples) => samples[round])));
  return pairedRatio(series[ours], best);
}

/** Undefined if there is none. */
function highest(samples) {
  const measured = samples.filter((sample) => sample !== undefined);
  return measured.length > 0 ? Math.max(...measured) : undefined;
}

const p99s = (samples) => samples?.map(({ p99 }) => p99);

/** The ratio of the latencies by backlog. */
function claimRatio(samples) {
  if (!samples) return null;
  const [byBacklog] = samples;
  const latencies = Object.values(byBacklog);
  return latencies.at(-1) / latencies[0];
}

/** The goals that Waybill must reach in one run. */
const GOALS = [
  atLeast(1, 'bulk enqueue, history durable : best Postgres peer', ({ bulk }) => toBestPeer(bulk, 'waybill')),
  atLeast(0.9, 'bulk enqueue, caught up : best Postgres peer', ({ bulk }) => toBestPeer(bulk, 'waybillCaughtUp')),
  atLeast(1, 'drain, history durable : best Postgres peer', ({ drain }) => toBestPeer(drain, 'waybill')),
  atLeast(0.9, 'drain, caught up : best Postgres peer', ({ drain }) => toBestPeer(drain, 'waybillCaughtUp')),
  atLeast(5, 'single enqueue : pg-boss', ({ single }) => pairedRatio(single?.waybill, single?.pgboss)),
  atLeast(5, 'single enqueue : graphile-worker', ({ single }) => pairedRatio(single?.waybill, single?.graphile)),
  atMost(1, 'latency p99 : graphile-worker', ({ latency }) =>
    pairedRatio(p99s(latency?.waybill), p99s(latency?.graphile)),
  ),
  atMost(1.5, 'claim, largest backlog : smallest', ({ claim }) => claimRatio(claim?.waybill)),
  atLeast(0.9, 'drain under a held xmin : without', ({ heldXmin, drain }) =>
    pairedRatio(heldXmin?.waybill, drain?.waybill),
  ),
  atLeast(3, 'single enqueue over HTTP : pg-boss `send`', ({ single }) =>
    pairedRatio(single?.waybillHttp, single?.pgboss),
  ),
  // 11,000 lives per second if pg-boss enqueues 70,000.
  atLeast(0.157, 'whole lives over HTTP by 100 : bulk enqueue by pg-boss', ({ lifecycle, bulk }) =>
    pairedRatio(lifecycle?.waybillHttp, bulk?.pgboss),
  ),
  atMost(1_300, 'WAL of a whole life, bytes', ({ counts }) => counts.waybill?.walBytes ?? null),
  atMost(
    200,
    `disk for ${COUNTED_DISK_TASKS.toLocaleString('en-US')} whole lives, MB`,
    ({ counts }) => counts.waybill?.diskMB ?? null,
  ),
];

export const judge = (found) => judged([...GOALS, ...SCALE_GOALS], found);
