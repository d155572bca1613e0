import type { Waybill } from '@waybill/client';
import { violationsOf } from '../support/history-checker.js';
import { sizeOf } from '../support/sizes.js';
import { until } from '../support/until.js';
import { defineRaced, Race } from './race.js';
import { Run } from './run.js';

/** Long enough for a rule without enforcement to be broken repeatedly. */
const RACE_MS = Number(process.env.RACE_MS ?? sizeOf(10_000, 3_000));

/** For each step after the race. */
const PATIENCE_MS = 60_000;

describe('competing claimers, producers and operators of two services', () => {
  let run: Run;
  let services: readonly Waybill[];
  beforeAll(async () => {
    run = await Run.open();
    services = await run.twoServices();
  });
  afterAll(() => run.close());

  async function raced(race: Race): Promise<void> {
    const end = performance.now() + RACE_MS;
    const isOver = async (): Promise<true | null> => (race.isRough && performance.now() > end ? true : null);
    await until('operators to do everything once', isOver, RACE_MS + PATIENCE_MS);
  }

  /** A task that is held when its worker returns it is held late. */
  async function workedOff(): Promise<void> {
    await until('every task to be finished', async () => {
      const { rows } = await run.pool.query<{ id: string }>(`select task_id as id from tasks where state = 'held'`);
      for (const { id } of rows) await services[0]!.task(id).release();
      return (await run.openTasks()) === 0 ? true : null;
    });
  }

  it(
    'break no rule at any position of the log, and every task ends',
    async () => {
      await defineRaced(services[0]!);
      const race = new Race(services, run.pool);
      race.start();
      try {
        await raced(race);
        await race.calm();
        await workedOff();
      } finally {
        await race.stop();
      }
      await run.settled();
      expect(violationsOf(await run.history())).toEqual([]);
    },
    RACE_MS + 3 * PATIENCE_MS,
  );
});
