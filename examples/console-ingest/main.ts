import { createWaybill } from '@waybill/client';
import { resolve } from 'node:path';
import { BatchProgress } from '../batch/batch-progress.js';
import { withService } from '../batch/with-service.js';
import { Screen } from '../demo/screen.js';
import { stopSignal } from '../demo/stop-signal.js';
import { told } from '../demo/told.js';
import { ingest } from './ingest.js';
import { HELP, type Options, readOptions } from './options.js';
import { LEASE_MS } from './plan.js';
import { isDone, summary } from './summary.js';

/** The whole example. Returns the exit code. */
export const main = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  told(async () => {
    const options = await readOptions(args, resolve(env.WAYBILL_DATA_DIR ?? '.waybill'));
    if (options !== null) return await run(options, env);
    process.stdout.write(`${HELP}\n`);
    return 0;
  });

async function run({ works, ...folders }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(process.stdout, env);
  screen.title('Waybill', 'the ingest of a folder: eight tasks that wait for each other');
  return await withService(env, screen, async (url) => {
    screen.step('Folder', folders.folder);
    screen.block('');
    const progress = new BatchProgress(process.stdout, screen.paint);
    const onContinue = (retried: readonly string[]) => screen.step('Continues', wordsOf(retried));
    try {
      const waybill = createWaybill({
        url,
        actor: 'console',
        ...(env.WAYBILL_API_KEY && { apiKey: env.WAYBILL_API_KEY }),
      });
      const ingested = await ingest(waybill, folders, { signal, works, onContinue, onLook: progress.show });
      progress.clear();
      screen.block(summary(ingested, screen.paint));
      return isDone(ingested) ? 0 : 1;
    } catch (error) {
      if (!signal.aborted) throw error;
      progress.clear();
      screen.block('  Stopped. Run the same command again: it goes on from here.\n');
      return 130;
    }
  });
}

const wordsOf = (retried: readonly string[]): string =>
  retried.length > 0
    ? `what an earlier run began; retries: ${retried.join(', ')}`
    : `what an earlier run began; what that run held is given out again within ${LEASE_MS / 1_000} s`;
