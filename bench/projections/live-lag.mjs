import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../measure/quantiles.mjs';

const LOOK_MS = 5;

/** For every follower, the age in milliseconds of the oldest event that it has not read; 0 at the head. */
const LAGS = `
  select c.name, coalesce(extract(epoch from clock_timestamp() - next.recorded_at) * 1000, 0)::float8 as ms
  from projection_checkpoints c
  left join lateral (select recorded_at from segments where position > c.position - 64 and position + n > c.position + 1 order by position limit 1) next on true
  where c.slot = 'live'`;

/** How far each follower is behind while `work` runs: quantiles in milliseconds, by name. */
export async function liveLag(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const looks = [];
  let over = false;
  const look = async () => {
    while (!over) {
      looks.push(...(await client.query(LAGS)).rows);
      await pause(LOOK_MS);
    }
  };
  await Promise.all([look(), work().finally(() => (over = true))]);
  await client.end();
  return quantilesByName(looks);
}

function quantilesByName(looks) {
  const names = [...new Set(looks.map(({ name }) => name))].toSorted();
  const lagsOf = (name) => looks.filter((look) => look.name === name).map(({ ms }) => ms);
  return Object.fromEntries(names.map((name) => [name, quantiles(lagsOf(name))]));
}

const quantiles = (lags) => ({ p50: quantile(lags, 0.5), p99: quantile(lags, 0.99), looks: lags.length });
