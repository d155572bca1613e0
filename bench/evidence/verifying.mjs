import 'reflect-metadata';
import { startWaybill } from '../../dist/index.js';
import { verifyLog } from '../../dist/maintenance/verify-log.js';
import { fill, seconds } from '../graph/work.mjs';
import { PAYLOAD } from '../measure/payload.mjs';

/** Events a second of a log of batches, and of one of single appends, each in a database of its own, read by this process. */
export async function measureVerify(postgres, { events, singles }, say) {
  const batches = await rateOf(await postgres.database('batches'), (queue) => fill(queue, events), events);
  say(`batches: ${Math.round(batches)} events a second`);
  const single = await rateOf(
    await postgres.database('singles'),
    (queue) => fillSingly(queue, singles),
    singles,
    singles,
  );
  say(`single appends: ${Math.round(single)} events a second`);
  return { batches, singles: single };
}

/** One after another: what is enqueued at the same time becomes one append, and one segment. */
async function fillSingly(queue, count) {
  for (let at = 0; at < count; at++) await queue.enqueue(PAYLOAD);
}

/** `segments`: so many at least, or the log is not the one that was meant. */
async function rateOf(url, make, events, segments = 1) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const queue = service.waybill.queue('orders');
  await queue.define();
  await make(queue);
  await service.stop();
  const options = { key: null, seals: [], witnesses: [], onFinding: ({ kind, says }) => fail(`${kind}: ${says}`) };
  let found;
  const took = await seconds(async () => (found = await verifyLog({ DATABASE_URL: url }, options)));
  if ('refused' in found) fail(found.refused);
  if (found.size < segments) fail(`it has ${found.size} segments instead of ${segments}`);
  return events / took;
}

function fail(why) {
  throw new Error(`Expected the log that was made, whole, but ${why}`);
}
