import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { timeOfProcess } from '../measure/cpu.mjs';

const COMMITS = `select xact_commit::int as commits from pg_stat_database where datname = current_database()`;
/** A service that has just started looks at everything once, and connections tell their commits late. */
const SETTLING_MS = 10_000;

/** What a service with nothing to do costs: its share of a core in Node, and the transactions that it sends a minute. */
export async function costOfIdling({ databaseUrl, pid }, seconds) {
  if (seconds === 0) return null;
  await pause(Math.min(SETTLING_MS, seconds * 1_000));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const read = async () => ({ node: timeOfProcess(pid), ...(await client.query(COMMITS)).rows[0] });
  const before = await read();
  await pause(seconds * 1_000);
  const after = await read();
  await client.end();
  return {
    shareOfCore: (after.node - before.node) / (seconds * 1e6),
    transactionsPerMinute: ((after.commits - before.commits) * 60) / seconds,
  };
}
