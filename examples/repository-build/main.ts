import { appendFile, copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BatchProgress } from '../batch/batch-progress.js';
import { Screen } from '../demo/screen.js';
import { stopSignal } from '../demo/stop-signal.js';
import { told } from '../demo/told.js';
import { build, type Scenario } from './build.js';
import { copyOf } from './copy.js';
import { BUILD } from './nodes.js';
import { isBuilt, summary } from './summary.js';

const BROKEN_FILE = 'packages/contracts/src/index.ts';

/** The whole example. Returns the exit code. `checkout` is the folder of the repository. */
export const main = (_args: readonly string[], env: NodeJS.ProcessEnv, checkout: string): Promise<number> =>
  told(async () => {
    const copy = await copyOf(checkout);
    try {
      await appendFile(join(copy, BROKEN_FILE), 'export const = 1;\n');
      return await play(scenarioIn(copy, checkout), env);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });

const scenarioIn = (copy: string, checkout: string): Scenario => ({
  nodes: BUILD,
  folder: copy,
  broken: 'contracts',
  repair: () => copyFile(join(checkout, BROKEN_FILE), join(copy, BROKEN_FILE)),
  unwanted: 'coverage',
  deployAt: 'client',
});

async function play(scenario: Scenario, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(process.stdout, env);
  screen.title('Waybill', 'the build of this repository: a failure, an abort, and a deployment in the middle');
  const { LocalStage } = await import('./stage.js');
  const { demoConfig } = await import('../demo/service.js');
  const config = demoConfig({ ...env, DATABASE_URL: '' }, Number(env.PORT || '3000'));
  const stage = await LocalStage.open(Object.assign(config, { dataDir: resolve(config.dataDir, 'build') }));
  const progress = new BatchProgress(process.stdout, screen.paint);
  try {
    screen.step('Service', stage.url);
    screen.step('Sources', `a copy in ${scenario.folder}, with an error in ${BROKEN_FILE}`);
    screen.block('');
    const began = performance.now();
    const built = await build(stage, scenario, { signal, onLook: progress.show, onNote: progress.note });
    progress.clear();
    screen.block(summary(built, scenario, (performance.now() - began) / 1_000, screen.paint));
    return isBuilt(built) ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.clear();
    return 130;
  } finally {
    await stage.close();
  }
}
