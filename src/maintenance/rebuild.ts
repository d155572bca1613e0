import { ConfigError, readConfig } from '../bootstrap/config.js';
import { LogReader } from '../bootstrap/log-reader.js';
import { NothingBefore } from '../infrastructure/projection-engine/slots.js';
import { ProgressLine } from './progress-line.js';
import { type RebuildMode, rebuildFromLog } from './rebuild-from-log.js';
import { StartupError } from '../bootstrap/startup-error.js';

/**
 * `node dist/maintenance/rebuild.js NAME... [--diff | --switch | --back]`: rebuilds the named parts from the log while the service runs. Prints what
 * was rebuilt to standard output, and everything else to standard error. Ends with code 1 if rows differ.
 */
const MODES = ['diff', 'switch', 'back'] as const;

/** Throws `StartupError` for an unknown option. */
function given(): { names: string[]; mode: RebuildMode } {
  const options = process.argv.slice(2).filter((one) => one.startsWith('--'));
  const names = process.argv.slice(2).filter((one) => !one.startsWith('--'));
  const mode = MODES.find((one) => options[0] === `--${one}`);
  if (options.length > 1 || (options.length === 1 && mode === undefined))
    throw new StartupError(`Expected one of --diff, --switch and --back, but got '${options.join(' ')}'.`);
  return { names, mode: mode ?? 'replace' };
}

rebuild().catch((error: unknown) => {
  const isExpected = [StartupError, ConfigError, NothingBefore].some((known) => error instanceof known);
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
  const options = { config: readConfig(process.env), ...given(), log: console.error, onProgress, onBuilt };
  const differing = await rebuildFromLog(options);
  reader.exitIfGone();
  process.exitCode = differing > 0 ? 1 : 0;
}
