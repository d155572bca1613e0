import { lasting } from '../../support/lasting.js';
import { ReplicatedPostgres } from '../replicated-postgres.js';
import type { Cell } from './cell.js';

/**
 * The primary dies, and its synchronous standby takes over. What was acknowledged is there, because the standby had it
 * before the answer.
 */
export function failovers(): Cell {
  let pair: ReplicatedPostgres;
  const away: number[] = [];
  return {
    postgres: async () => (pair = await ReplicatedPostgres.start()),
    fault: async (scene) => {
      await lasting(1_000);
      const since = performance.now();
      await pair.failOver();
      await scene.enqueue(1);
      away.push(performance.now() - since);
      await pair.renewStandby();
    },
    away: () => Math.round(Math.max(...away)),
  };
}
