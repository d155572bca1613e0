import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../bootstrap/config.js';
import { LogReader } from '../bootstrap/log-reader.js';
import type { CopyProgress } from '../infrastructure/eventstoredb/copy/copy-events.js';
import { CopyRefused } from '../infrastructure/eventstoredb/copy/copy-refused.js';
import { moveEvents, reportText } from './move-events.js';
import { ProgressLine } from './progress-line.js';
import { StartupError } from '../bootstrap/startup-error.js';

/**
 * `node dist/maintenance/events-copy.js [--json]`: copies the events of the configured Postgres to its EVENT_STORE_URL.
 * May be stopped at any time and run again. Progress goes to standard error, the result to standard output.
 */
async function main(): Promise<void> {
  const reader = new LogReader();
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const config = readConfig(process.env);
  const line = new ProgressLine(process.stderr);
  const onProgress = (progress: CopyProgress): void => line.show(lineOf(progress), progress.done === progress.total);
  const report = await moveEvents({ config, onProgress, log: console.error });
  line.clear();
  console.log(values.json ? JSON.stringify(report, null, 2) : reportText(report, config));
  reader.exitIfGone();
  process.exitCode = report.equal ? 0 : 1;
}

function lineOf({ step, done, total }: CopyProgress): string {
  const share = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${step}: ${done} of ${total} events, ${share} %`;
}

main().catch((error: unknown) => {
  const isExpected = [CopyRefused, StartupError, ConfigError].some((known) => error instanceof known);
  console.error(isExpected ? (error as Error).message : error);
  process.exit(1);
});
