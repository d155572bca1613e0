import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../measure/quantiles.mjs';

const LOOK_MS = 5;

/** For every follower, the age in milliseconds of the oldest event that it has not taken in; 0 where it is at the head. */
const LAG = `
  select max(coalesce(extract(epoch from clock_timestamp() - next.recorded_at) * 1000, 0))::float8 as ms
  from projection_checkpoints c
  left join lateral (select recorded_at from events where position > c.position order by position limit 1) next on true
  where c.slot = 'live'`;

/** How far the slowest follower is behind, looked at all through `work`, in milliseconds. */
export async function liveLag(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const samples = [];
  let over = false;
  const look = async () => {
    while (!over) {
      samples.push((await client.query(LAG)).rows[0].ms);
      await pause(LOOK_MS);
    }
  };
  await Promise.all([look(), work().finally(() => (over = true))]);
  await client.end();
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99), samples: samples.length };
}
