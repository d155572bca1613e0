import { join, resolve } from 'node:path';
import { withService } from '../batch/with-service.js';
import { Screen } from '../demo/screen.js';
import { stopSignal } from '../demo/stop-signal.js';
import { told } from '../demo/told.js';
import { startMailSink } from './mail-sink.js';
import { type Folders, HELP, readOptions } from './options.js';
import { deposit } from './run.js';
import { summary } from './summary.js';

/** The whole example. Returns the exit code. */
export const main = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  told(async () => {
    const folders = await readOptions(args, resolve(env.WAYBILL_DATA_DIR ?? '.waybill'));
    if (folders !== null) return await run(folders, env);
    process.stdout.write(`${HELP}\n`);
    return 0;
  });

async function run(folders: Folders, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(process.stdout, env);
  screen.title('Waybill', 'a repository: submissions of five kinds');
  const mails = join(folders.work, 'mails');
  const sink = await startMailSink(mails);
  // Its service has to know the mail server, so it takes no service that runs already.
  const settings = { WAYBILL_URL: '', WAYBILL_SMTP_URL: sink.url, WAYBILL_MAIL_FROM: 'repository@example.org' };
  try {
    return await withService({ ...env, ...settings }, screen, async (url) => {
      screen.step('Folder', folders.folder);
      screen.block(await summary(await deposit(url, folders, signal), mails, screen.paint));
      return 0;
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    screen.block('  Stopped. Run the same command again: it goes on from here.\n');
    return 130;
  } finally {
    await sink.stop();
  }
}
