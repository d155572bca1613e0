import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { until } from '../support/until.js';
import { ErasureKills, KILLS } from './erasure-kills.js';

/** More than two appends record. */
const TASKS = 120;
const DAYS = 30;

/** How what ended long ago is ordered to be erased. Each returns the id of the order. */
const ORDERS: Readonly<Record<string, (kills: ErasureKills, queue: string) => Promise<string>>> = {
  'a purge': async ({ waybill }, queue) =>
    (await waybill.erase({ queue, endedBefore: `${DAYS}d` }, 'kept no longer')).id!,
  'an expiry': async ({ run, waybill }, queue) => {
    await waybill.queue(queue).define({ expireDays: DAYS }, { replace: true });
    return until('the sweeper to order it', async () => {
      const { rows } = await run.pool.query<{ task_id: string }>(
        `select task_id from tasks where queue = 'waybill.erasures' and finished_at is null`,
      );
      return rows[0]?.task_id ?? null;
    });
  },
};

describe.each(Object.keys(ORDERS))('kill -9 of the steward in %s', (kind) => {
  let kills: ErasureKills;
  beforeAll(async () => {
    kills = await ErasureKills.open();
  });
  afterAll(() => kills.close());

  /** In the index only, where an erasure looks. */
  const age = (queue: string, days: number) =>
    kills.run.pool.query(`update tasks set finished_at = finished_at - $2 * interval '24 hours' where queue = $1`, [
      queue,
      days,
    ]);

  it.each(KILLS)('ends by another one, and leaves nothing, killed $point ($passage)', async (crash) => {
    const { waybill } = kills;
    const mark = `acme-${uuidv7()}`;
    const queue = `q-${uuidv7()}`;
    await waybill.queue(queue).define({});
    const items = Array.from({ length: TASKS }, (_, n) => ({ id: uuidv7(), payload: { mark, n }, labels: { mark } }));
    await waybill.queue(queue).enqueueMany(items);
    for (const { id } of items) await waybill.task(id).abort();
    await age(queue, DAYS + 1);
    const id = await ORDERS[kind]!(kills, queue);
    await kills.kill(id, crash);
    expect(await kills.ended(id)).toMatchObject({
      state: 'succeeded',
      result: { erased: TASKS, batches: 0, outbox: 0, refused: {} },
    });
    await age(queue, -(DAYS + 1));
    await kills.leftNothing(mark);
  });
});
