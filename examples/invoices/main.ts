import { createWaybill } from '@waybill/client';
import { resolve } from 'node:path';
import { withService } from '../batch/with-service.js';
import { Screen } from '../demo/screen.js';
import { stopSignal } from '../demo/stop-signal.js';
import { told } from '../demo/told.js';
import { HELP, readOptions } from './options.js';
import { ITEMS, type Options, play } from './play.js';
import { isDone, summary } from './summary.js';

/** The whole example. Returns the exit code. */
export const main = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  told(async () => {
    const options = readOptions(args, resolve(env.WAYBILL_DATA_DIR ?? '.waybill'));
    if (options !== null) return await run(options, env);
    process.stdout.write(`${HELP}\n`);
    return 0;
  });

async function run(options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(process.stdout, env);
  screen.title('Waybill', 'e-invoices for robots: some are wrong, and a service is away');
  return await withService(
    env,
    screen,
    async (url) => {
      screen.step('Folder', options.folder);
      screen.block('');
      const key = env.WAYBILL_API_KEY;
      const waybill = createWaybill({ url, actor: 'accounts', ...(key && { apiKey: key }) });
      const onNote = (text: string): void => void process.stdout.write(`  ${screen.paint.yellow('→')} ${text}\n`);
      try {
        const played = await play(waybill, options, { signal, onNote });
        screen.block(summary(played, screen.paint));
        return isDone(played) ? 0 : 1;
      } catch (error) {
        if (!signal.aborted) throw error;
        screen.block('  Stopped. Run the same command again: it goes on from here.\n');
        return 130;
      }
    },
    `queues/${ITEMS}`,
  );
}
