import { lasting } from '../../support/lasting.js';
import type { Cell } from './cell.js';

const below = (count: number): number => Math.floor(Math.random() * count);

/** The only process of the service dies, and is away for a moment. */
export const crashRecovery: Cell = {
  load: { services: [{}] },
  fault: async (scene) => {
    await lasting(1_000);
    await scene.killService(0, 500);
    await scene.services[0]!.ready();
  },
};

/** One of the processes dies, of the service or a worker, and again before the last one has recovered. */
export const repeatedKills: Cell = {
  fault: async (scene) => {
    await lasting(300 + below(500));
    if (below(2) === 0) await scene.killService(below(scene.services.length));
    else await scene.killWorker(below(scene.workers.length));
  },
};
