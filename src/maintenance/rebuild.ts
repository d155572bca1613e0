import { ConfigError, readConfig } from '../bootstrap/config.js';
import { LogReader } from '../bootstrap/log-reader.js';
import { ProgressLine } from './progress-line.js';
import { rebuildFromLog } from './rebuild-from-log.js';
import { StartupError } from '../bootstrap/startup-error.js';

/**
 * `node dist/maintenance/rebuild.js NAME...`: rebuilds the named parts from the log while the service runs. Prints what
 * was rebuilt to standard output, and everything else to standard error.
 */
const names = process.argv.slice(2);

rebuild().catch((error: unknown) => {
  const isExpected = error instanceof StartupError || error instanceof ConfigError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});

async function rebuild(): Promise<void> {
  const reader = new LogReader();
  const line = new ProgressLine(process.stderr);
  const onBuilt = (text: string): void => {
    line.clear();
    console.log(text);
  };
  const onProgress = (text: string): void => line.show(text);
  await rebuildFromLog({ config: readConfig(process.env), names, log: console.error, onProgress, onBuilt });
  reader.exitIfGone();
}
