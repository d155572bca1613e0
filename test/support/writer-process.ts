import 'reflect-metadata';
import { PostgresEventStore } from '../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { claim, enqueue, item, succeeded } from './events.js';

/**
 * One of several processes that write concurrently: `<url> <queue> <lives> <index>`. Each life has three appends of a
 * few tasks.
 */
const [url, queue, lives, index] = process.argv.slice(2) as [string, string, string, string];
const pool = new PostgresPool({ url, size: 4 });
const store = new PostgresEventStore(pool, new LocalWakeUps());

async function live(tasks: number): Promise<void> {
  const created = Array.from({ length: tasks }, () => enqueue(queue));
  await store.append(created);
  const claimed = created.map((one) => claim(one, { tokens: Number(index) * 1_000_000 }));
  await store.append(claimed.map((one) => one.item));
  const ends = claimed.map(({ token, secret }, at) =>
    item(created[at]!.stream, 1, [succeeded(queue, token)], { lease: { token, secret } }),
  );
  const results = await store.append(ends);
  if (results.some(({ kind }) => kind !== 'appended'))
    throw new Error(`Expected every life to end, but: ${JSON.stringify(results[0]?.kind)}`);
}

for (let life = 0; life < Number(lives); life += 4) {
  await Promise.all([live(1), live(7), live(2), live(3)]);
}
await pool.end();
