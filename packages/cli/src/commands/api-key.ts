import type { Command } from 'commander';
import { createHash, randomBytes } from 'node:crypto';
import { atLeastOne, grants, keyName, timeToCome } from '../arguments.js';
import { addCommonOptions, LOCAL } from '../common-options.js';
import type { Open } from '../session.js';

/** The service's names for them. */
const PERMISSIONS = ['read', 'metrics', 'enqueue', 'work', 'deliver', 'operate', 'erase', 'audit'] as const;

interface KeyOptions {
  readonly may: readonly string[];
  readonly expires?: Date;
  readonly requestsPerMinute?: number;
  readonly bytesPerMinute?: number;
  readonly tasksPerMinute?: number;
  readonly recipientsPerMinute?: number;
  readonly runningTasks?: number;
}

export function addApiKeyCommand(program: Command, open: Open): void {
  const apiKey = program
    .command('api-key')
    .argument('<name>', 'the name of its holder, for the history', keyName)
    .description('create an API key; does not contact a service')
    .requiredOption(
      `--may <${PERMISSIONS.join('|')}...>`,
      'what its holder may do; for one queue only: enqueue:mail',
      grants(...PERMISSIONS),
    )
    .option('--requests-per-minute <n>', 'how many requests each process of the service accepts', atLeastOne)
    .option('--bytes-per-minute <n>', 'how many bytes of request bodies each process accepts', atLeastOne)
    .option('--tasks-per-minute <n>', 'how many tasks it may submit to each process of the service', atLeastOne)
    .option('--recipients-per-minute <n>', 'how many recipients of mail and webhooks it may order', atLeastOne)
    .option('--expires <time>', 'when it expires (default: never)', timeToCome)
    .option('--running-tasks <n>', 'how many tasks may run for it at once', atLeastOne)
    .action(async (name: string, { may, expires, ...limits }: KeyOptions, command: Command) => {
      const { printer } = open(command);
      const key = `wb_${randomBytes(32).toString('base64url')}`;
      const sha256 = createHash('sha256').update(key).digest('hex');
      const { requestsPerMinute, bytesPerMinute, tasksPerMinute, recipientsPerMinute, runningTasks } = limits;
      const quota = { requestsPerMinute, bytesPerMinute, tasksPerMinute, recipientsPerMinute, runningTasks };
      const entry = {
        name,
        sha256,
        may,
        ...(expires && { expiresAt: expires.toISOString() }),
        ...(Object.values(quota).some((limit) => limit !== undefined) && { quota }),
      };
      await printer.show({ key, entry }, (paint) => [
        `${paint.dim('API key for its holder (shown only once):')}`,
        key,
        `${paint.dim('Entry for WAYBILL_API_KEYS of the service:')}`,
        JSON.stringify(entry),
      ]);
    });
  addCommonOptions(apiKey, LOCAL);
}
