import 'reflect-metadata';
import pg from 'pg';
import { BUILD } from '../../dist/bootstrap/functions.js';
import { startWaybill } from '../../dist/index.js';
import { verifyLog } from '../../dist/maintenance/verify-log.js';
import { fill, seconds } from '../graph/work.mjs';
import { PAYLOAD } from '../measure/payload.mjs';

/** Events a second of a log of batches, and of one of single appends, each in a database of its own, read by this process. */
export async function measureVerify(postgres, { events, singles }, say) {
  const of = async (name, make, least) => rateOf(await postgres.database(name), make, least);
  const batches = await of('batches', (queue) => fill(queue, events), { events });
  say(`batches: ${Math.round(batches)} events a second`);
  const log = { events: singles, segments: singles, copies: singles - 1 };
  const single = await of('singles', (queue) => queue.enqueue(PAYLOAD), log);
  say(`single appends: ${Math.round(single)} events a second`);
  return { batches, singles: single };
}

/** `segments`: so many at least, or the log is not the one that was meant. `copies`: so many of the last one. */
async function rateOf(url, make, { events, segments = 1, copies = 0 }) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const queue = service.waybill.queue('orders');
  await queue.define();
  await make(queue);
  await service.stop();
  await copyLast(url, copies);
  const options = { key: null, seals: [], witnesses: [], onFinding: ({ kind, says }) => fail(`${kind}: ${says}`) };
  let found;
  const took = await seconds(async () => (found = await verifyLog({ DATABASE_URL: url }, options)));
  if ('refused' in found) fail(found.refused);
  if (found.size < segments) fail(`it has ${found.size} segments instead of ${segments}`);
  return events / took;
}

/**
 * Adds copies of the last segment, each of a stream of its own: to append 200,000 events one after another takes too long, and what is enqueued
 * at the same time becomes one append.
 */
async function copyLast(url, copies) {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=public,${BUILD.schema}` });
  await client.connect();
  await client.query(
    `with last as (select * from segments order by position desc limit 1),
       copies as (select l.position + at as position, array[gen_random_uuid()] as streams, array[gen_random_uuid()] as ids
         from last l, generate_series(1, $1) at)
     insert into segments select c.position, n, category, type, version, recorded_at, meta, shared, c.streams, revisions, prevs, c.ids, data, private, salts,
       waybill_digest(category, type, version, meta, shared, c.streams, revisions, c.ids, data, private, salts)
     from copies c, last`,
    [copies],
  );
  await client.end();
}

function fail(why) {
  throw new Error(`Expected the log that was made, whole, but ${why}`);
}
