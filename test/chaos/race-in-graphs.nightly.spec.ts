import type { Waybill } from '@waybill/client';
import { violationsOf } from '../support/history-checker.js';
import { until } from '../support/until.js';
import { GraphRace } from './graph-race.js';
import { defineQueues } from './load.js';
import { Run } from './run.js';

/** Long enough for an append of one process to come between the check and the commit of another one. */
const RACE_MS = Number(process.env.RACE_MS ?? 10_000);

/** For each step after the race. */
const PATIENCE_MS = 90_000;

describe('commands on the same graph from two services', () => {
  let run: Run;
  let services: readonly Waybill[];
  beforeAll(async () => {
    run = await Run.open();
    services = await run.twoServices();
  });
  afterAll(() => run.close());

  it(
    'close no cycle, run nothing too early, count batches right, and block nothing for ever',
    async () => {
      await defineQueues(services[0]!);
      const race = new GraphRace(services, run.pool);
      race.start();
      try {
        const end = performance.now() + RACE_MS;
        const isOver = async (): Promise<true | null> =>
          race.missing.length === 0 && performance.now() > end ? true : null;
        await until(`everything to happen once`, isOver, RACE_MS + PATIENCE_MS);
        await until(
          'every task to be finished',
          async () => {
            await race.workOff();
            return (await run.openTasks()) === 0 ? true : null;
          },
          PATIENCE_MS,
        );
      } finally {
        await race.stop();
      }
      await run.settled(PATIENCE_MS);
      expect(violationsOf(await run.history())).toEqual([]);
    },
    RACE_MS + 4 * PATIENCE_MS,
  );
});
