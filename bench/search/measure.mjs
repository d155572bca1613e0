import 'reflect-metadata';
import pg from 'pg';
import { startWaybill } from '../../dist/index.js';
import { seconds } from '../graph/work.mjs';
import { median } from '../measure/quantiles.mjs';
import { searchesFor } from './searches.mjs';
import { fillSearched } from './tasks.mjs';

const PAGE = 100;

/** All searches on one service with all its roles. Calls `say` after every part. */
export async function measureSearch(databaseUrl, { tasks, repeat }, say) {
  const service = await startWaybill({ databaseUrl, actor: 'bench' });
  const other = await startWaybill({ databaseUrl, actor: 'ann', roles: [] });
  try {
    const named = await fillSearched({ waybill: service.waybill, ann: other.waybill }, tasks, say);
    await analysed(databaseUrl);
    const searches = [];
    for (const q of searchesFor(named)) {
      searches.push({ q, ...(await measured(service.waybill, q, repeat)) });
      say(JSON.stringify(searches.at(-1)));
    }
    return { searches };
  } finally {
    await other.stop();
    await service.stop();
  }
}

/** What autovacuum does within a minute. */
async function analysed(url) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query('vacuum analyze');
  await db.end();
}

/** The milliseconds to the first page, and how many tasks it has or the code of what refused it. The first time does not count. */
async function measured(waybill, q, repeat) {
  let answer = await answerTo(waybill, q);
  const times = [];
  for (let at = 0; at < repeat; at++)
    times.push((await seconds(async () => (answer = await answerTo(waybill, q)))) * 1_000);
  return { answer, median: median(times), longest: Math.max(...times) };
}

const answerTo = (waybill, q) =>
  waybill.tasks.page({ q }, { limit: PAGE }).then(
    ({ items }) => items.length,
    ({ code, message }) => {
      if (!['INVALID_INPUT', 'READ_TOO_LONG'].includes(code)) throw new Error(`${q}: ${message}`);
      return code;
    },
  );
