import { ConfigError, type Environment, readConfig } from '../bootstrap/config.js';
import { StartupError } from '../bootstrap/startup-error.js';
import { checkIndexFromLog } from './rebuild-from-log.js';

/** Runs `waybill check index` on the database of the environment. `refused`: why it cannot be looked at. */
export async function checkIndex(env: Environment) {
  const lines: string[] = [];
  const nowhere = (): void => undefined;
  try {
    const say = { log: nowhere, onProgress: nowhere, onBuilt: (line: string) => void lines.push(line) };
    const rows = await checkIndexFromLog({ config: readConfig(env), ...say });
    return { rows, lines };
  } catch (error) {
    if (error instanceof StartupError || error instanceof ConfigError) return { refused: error.message };
    throw error;
  }
}
