import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Leaders } from '../../src/infrastructure/leadership/leaders.js';
import { logOf } from '../support/history/log-of.js';
import { RandomHistory, randomFrom } from '../support/history/random-history.js';
import {
  everyTaskEvent,
  folded,
  isWithoutGap,
  keeperOf,
  stored,
  storedPositions,
} from '../support/history/snapshots-then.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { Child, killAll } from './child.js';

/** Takes of the rows come first, each after enough has happened; what lies before them is folded of the log. */
const CRASHES = [
  'before-take:1',
  'after-take:1',
  'before-lastBeforeGap:1',
  'after-lastBeforeGap:1',
  'before-readSegments:1',
  'after-readSegments:2',
  'before-setsOf:1',
  'after-setsOf:2',
  'before-store:2',
  'after-store:3',
];
const STEPS = 60;
/** More than lies between two snapshots here. */
const MANY = 200;
const PATIENCE_MS = 40_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await killAll();
  await service.stop();
});

async function killed(crash: string): Promise<Child> {
  const { EVENT_STORE_URL } = process.env;
  const env = { DATABASE_URL: service.databaseUrl, CRASH_AT: crash, ...(EVENT_STORE_URL && { EVENT_STORE_URL }) };
  const keeper = new Child('test/chaos/keeping-process.ts', env);
  await until(`the end of a keeper at ${crash}`, () => Promise.resolve(keeper.end), PATIENCE_MS);
  return keeper;
}

/** None has a part of another, or of one that is not there. */
async function expectWhole(): Promise<number> {
  const events = await everyTaskEvent(service.waybill);
  const positions = await storedPositions(service.pool);
  const expected = [...folded(events, positions)];
  for (const [at, position] of positions.entries())
    expect([position, await stored(service.pool, position)]).toEqual([position, expected[at]]);
  const { rows } = await service.pool.query(
    'select position from snapshot_tasks except select position from snapshots',
  );
  expect(rows).toEqual([]);
  return positions.length;
}

describe('kill -9 of the keeper of snapshots', () => {
  it('H-08 at every point leaves whole snapshots, and the next keeper makes those that lack', async () => {
    const history = new RandomHistory(service.waybill, randomFrom(38));
    await history.begin();
    for (let step = 0; step < STEPS; step++) await history.step();
    // The next one of its own keeper is far away.
    await until('the first snapshot', async () => ((await storedPositions(service.pool)).length > 0 ? true : null));
    for (const crash of CRASHES) {
      if (crash.includes('take'))
        await service.waybill.queue('one').enqueueMany(Array.from({ length: MANY }, () => ({})));
      const { lines, errors, end } = await killed(crash);
      expect([crash, lines, errors, end]).toEqual([
        crash,
        [`stops at ${crash}`],
        '',
        { code: null, signal: 'SIGKILL' },
      ]);
      await expectWhole();
    }
    const [log, leaders] = [logOf(service), new Leaders(service.pool)];
    const keeper = keeperOf(service.pool, log, leaders);
    keeper.start();
    await until('no gap', () => isWithoutGap(service.pool));
    await keeper.stop();
    await leaders.close();
    await log.close();
    expect(await expectWhole()).toBeGreaterThan(5);
  });
});
