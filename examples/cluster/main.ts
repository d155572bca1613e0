import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Screen } from '../demo/screen.js';
import { stopSignal } from '../demo/stop-signal.js';
import { told } from '../demo/told.js';
import { Books } from './books.js';
import { closeMonth, type Month } from './month.js';
import { summary } from './summary.js';
import { TROUBLES } from './troubles.js';

const ORDERS = Array.from({ length: 20 }, (_, at) => ({ number: at + 1, amount: 995 + 100 * at }));

/** The whole example. Returns the exit code. */
export const main = (_args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  told(() => play({ name: randomUUID().slice(0, 8), orders: ORDERS, outOfStock: 13, troubles: TROUBLES }, env));

async function play(month: Month, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(process.stdout, env);
  screen.title('Waybill', "a shop's cluster: three servers, one of which dies, close a month");
  const { LocalCluster } = await import('./local-cluster.js');
  const { demoConfig } = await import('../demo/service.js');
  const config = demoConfig({ ...env, DATABASE_URL: '' }, Number(env.PORT || '3000'));
  const dataDir = resolve(config.dataDir, 'cluster');
  const books = new Books(join(dataDir, `ledger-${month.name}.txt`));
  const cluster = await LocalCluster.open(Object.assign(config, { dataDir }), month.name, books.path);
  try {
    screen.step('Service', cluster.url);
    screen.step('Ledger', books.path);
    screen.block('');
    const onNote = (text: string) => void process.stdout.write(`  ${screen.paint.cyan('→')} ${text}\n`);
    screen.block(summary(await closeMonth(cluster, month, { signal, onNote }), screen.paint));
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  } finally {
    await cluster.close();
  }
}
