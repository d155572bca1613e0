import { lasting } from '../../support/lasting.js';
import type { Cell } from './cell.js';

const ROLES = ['projector', 'reactor', 'sweeper', 'relay'];

/** Longer than a lease, and than the time after which another process takes over. */
const FROZEN_MS = 2_500;

/** One process after the other is stopped and continued: of each role, of all of them, and a worker. */
export function frozen(): Cell {
  let next = 0;
  return {
    load: { services: [{}, ...['api', ...ROLES].map((roles) => ({ env: { WAYBILL_ROLES: roles } }))] },
    fault: async ({ services, workers }) => {
      const processes = [...services, ...workers];
      const process = processes[next++ % processes.length]!;
      process.signal('SIGSTOP');
      await lasting(FROZEN_MS);
      process.signal('SIGCONT');
      await lasting(200);
    },
  };
}
