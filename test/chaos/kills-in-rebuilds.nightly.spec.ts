import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails, Waybill } from '@waybill/client';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { Run } from './run.js';
import { freePort } from './ports.js';

const REBUILDS = 'waybill.rebuilds';
const MODEL = 'queue-stats';

/** Where a steward dies: it builds the rows, is about to replace those in use, and has done so. */
const KILLS: readonly (readonly [CrashPoint, passage: number])[] = [
  ['before-checkpoint', 1],
  ['before-checkpoint', 2],
  ['after-checkpoint', 2],
];

describe('kill -9 of the steward in a rebuild', () => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,sweeper' } }).ready();
    waybill = run.client();
    await waybill.queue('items').define({});
    for (let n = 0; n < 5; n++) await waybill.queue('items').enqueue(n);
    // The order of a rebuild defines its queue, and the steward looks for it when it starts.
    await ended((await waybill.rebuildProjection(MODEL, 'diff')).id);
  });
  afterAll(() => run.close());

  const steward = async (crash?: Crash) =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(crash && { crash }) });

  async function killed(crash: Crash): Promise<void> {
    const one = await steward(crash);
    expect([await one.ended, one.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(one.lines).toContain(lastWords(crash));
    await loseWorkers(run.pool, REBUILDS);
  }

  async function ended(id: string): Promise<TaskDetails> {
    const other = await steward();
    const task = await until('the rebuild to end', async () => {
      const found = await waybill.task(id).get();
      return found.finishedAt === null ? null : found;
    });
    await other.kill();
    return task;
  }

  /** What the rows in use and those of before say of the queue, which somebody changed by hand. */
  async function pending(): Promise<readonly (string | null)[]> {
    const of = async (table: string): Promise<string | null> => {
      const { rows: there } = await run.pool.query<{ found: string | null }>('select to_regclass($1) as found', [
        table,
      ]);
      if (there[0]!.found === null) return null;
      const { rows } = await run.pool.query<{ pending: string }>(`select pending from ${table} where queue = 'items'`);
      return rows[0] ? String(rows[0].pending) : null;
    };
    return Promise.all([of('queue_stats'), of('queue_stats__before')]);
  }

  it.each(KILLS)('replaces rows once, and goes back once, killed %s (%d)', async (point, passage) => {
    await run.pool.query(`update queue_stats set pending = 99 where queue = 'items'`);
    const { id: switched } = await waybill.rebuildProjection(MODEL, 'switch');
    await killed({ point, passage });
    expect(await ended(switched)).toMatchObject({ state: 'succeeded', result: { mode: 'switch' } });
    expect(await pending()).toEqual(['5', '99']);

    const { id: back } = await waybill.rebuildProjection(MODEL, 'back');
    await killed({ point, passage });
    expect(await ended(back)).toMatchObject({ state: 'succeeded', result: { mode: 'back' } });
    expect(await pending()).toEqual(['99', '5']);
  });
});
