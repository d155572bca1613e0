import { once } from 'node:events';
import { asChild, steps } from '../../src/index.js';

// The process of a task with steps. At the first step it waits for the stop of its worker, if the payload says so.
export default asChild(
  steps<{ readonly waits?: boolean }>({
    a: async ({ payload: { waits } }, run) => {
      await run.record({ begun: true });
      if (waits && !run.stopping) await once(run.windDown, 'abort');
      return { pid: process.pid };
    },
    b: ({ data }) => ({ data }),
  }),
);
