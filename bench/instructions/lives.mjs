// Whole lives in batches, one after the other, by the use cases of a checkout:
//   node bench/instructions/lives.mjs CHECKOUT DATABASE_URL TASKS
// Prints the ids of the database's processes that served it.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { PAYLOAD } from '../measure/payload.mjs';

const BATCH = 500;
const SERVING = `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`;

const [checkout, url, tasks] = process.argv.slice(2);
const { UseCases } = await import(pathToFileURL(join(checkout, 'bench/core/use-cases.mjs')).href);
// With several connections, chance decides which of them warm up.
const useCases = await UseCases.open(url, { poolSize: 2 });
await useCases.defineQueue('plain');
for (let done = 0; done < Number(tasks); done += BATCH) {
  await useCases.enqueue(
    Array.from({ length: BATCH }, () => ({ taskId: uuidv7(), queue: 'plain', kind: 'task', payload: PAYLOAD })),
  );
  const settled = await useCases.claimAndSettle('plain', BATCH);
  if (settled !== BATCH) throw new Error(`Expected ${BATCH} tasks to succeed, but ${settled} did`);
}
const client = new pg.Client({ connectionString: url });
await client.connect();
const { rows } = await client.query(SERVING);
console.log(JSON.stringify(rows.map(({ pid }) => pid)));
await client.end();
await useCases.close();
