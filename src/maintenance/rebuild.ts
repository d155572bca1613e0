import { ConfigError, readConfig } from '../bootstrap/config.js';
import { LogReader } from '../bootstrap/log-reader.js';
import { ProgressLine } from './progress-line.js';
import { rebuildFromLog } from './rebuild-from-log.js';
import { StartupError } from '../bootstrap/startup-error.js';

/**
 * `node dist/maintenance/rebuild.js NAME...`: rebuilds the named parts from the log while the service runs. Prints what
 * was rebuilt to standard output, and everything else to standard error.
 */
rebuild().catch((error: unknown) => {
  const isExpected = [StartupError, ConfigError].some((known) => error instanceof known);
  console.error(isExpected ? (error as Error).message : error);
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
  const names = process.argv.slice(2);
  await rebuildFromLog({ config: readConfig(process.env), names, log: console.error, onProgress, onBuilt });
  reader.exitIfGone();
}
