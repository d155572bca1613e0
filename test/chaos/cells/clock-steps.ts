import { lasting } from '../../support/lasting.js';
import { OwnPostgres } from '../own-postgres.js';
import { clockFolder, removeClocks, SteppedClock } from '../stepped-clock.js';
import type { Cell } from './cell.js';

const HOUR = 3_600;

/** Postgres' clock and that of the services step forward and back by an hour, each apart from the other. */
export async function clockSteps(): Promise<Cell> {
  const folder = await clockFolder();
  const [ofPostgres, ofServices] = [
    await SteppedClock.in(folder, 'postgres'),
    await SteppedClock.in(folder, 'services'),
  ];
  let highest = 0;
  return {
    postgres: async () => {
      const postgres = await OwnPostgres.start();
      await postgres.pgCtl('restart', ['-m', 'fast'], ofPostgres.env);
      return postgres;
    },
    load: { services: [{ env: ofServices.env }, { env: ofServices.env }] },
    fault: async () => {
      for (const [postgres, services] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [0, 0],
      ] as const) {
        await ofPostgres.set(postgres * HOUR);
        await ofServices.set(services * HOUR);
        highest = Math.max(highest, postgres);
        await lasting(400);
      }
    },
    // What became due by the fast clock is due again.
    undo: () => ofPostgres.set(highest * HOUR + HOUR),
    close: () => removeClocks(folder),
  };
}
