import { lasting } from '../../support/lasting.js';
import type { Cell } from './cell.js';

const ROLES = ['projector', 'reactor', 'sweeper', 'relay', 'steward'];

/** Longer than a lease. */
const FROZEN_MS = 2_500;
/** Every so often one stands still for longer than its terms, so that another process takes over and it comes back. */
const OVERTAKEN_MS = 8_000;
const OVERTAKEN_EVERY = 3;

/** One process after the other is stopped and continued: of each role, of all of them, and a worker. */
export function frozen(): Cell {
  let next = 0;
  return {
    load: {
      delivers: true,
      services: [{}, ...['api', ...ROLES].map((roles) => ({ env: { WAYBILL_ROLES: roles } }))],
    },
    fault: async (scene) => {
      const { services, workers } = scene;
      const processes = [...services, ...workers];
      const process = processes[next % processes.length]!;
      const isOvertaken = next++ % OVERTAKEN_EVERY === 0;
      process.signal('SIGSTOP');
      await scene.shortenDeliveries();
      await lasting(isOvertaken ? OVERTAKEN_MS : FROZEN_MS);
      process.signal('SIGCONT');
      await lasting(200);
    },
  };
}
