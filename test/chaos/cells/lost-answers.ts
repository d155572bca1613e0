import { lasting } from '../../support/lasting.js';
import { until } from '../../support/until.js';
import type { Cell } from './cell.js';
import { LossyProxy } from './lossy-proxy.js';

/** Postgres has committed, and the service never learns it. */
export function lostAnswers(): Cell {
  let proxy: LossyProxy;
  return {
    load: {
      databaseUrl: async (url) => {
        proxy = await LossyProxy.before(url);
        return proxy.through(url);
      },
    },
    fault: async () => {
      const before = proxy.lost;
      proxy.loseNext(3);
      await until('answers to be lost', async () => (proxy.lost >= before + 3 ? true : null));
      await lasting(300);
    },
    undo: async () => proxy.loseNext(0),
    close: async () => proxy.close(),
  };
}
