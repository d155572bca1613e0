import type { ApiKeyView, LeaderView, MeView, PastWaybill, ProjectionView, WorkerView } from '@waybill/client';
import type { Command } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf } from '../as-of.js';
import type { Open } from '../session.js';
import type { Printer } from '../terminal/printer.js';
import type { Column } from '../terminal/table.js';
import { age, count, quotaInWords, stuckInWords, workerLabels } from '@waybill/client/words';

export function addSystemCommands(program: Command, open: Open): void {
  program
    .command('workers')
    .description("list workers with what became of their tasks, the service's own last")
    .option('--limit <n>', 'show at most n workers', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async ({ limit, asOf }: { limit: number } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      if (asOf !== undefined) return workersAsOf(waybill.asOf(asOf), limit, printer);
      const [others, own] = await Promise.all(
        [false, true].map((internal) => first(waybill.workers({ internal }), limit)),
      );
      await printer.list(
        [...others!.items, ...own!.items],
        WORKERS,
        "No worker has claimed a task yet. A worker is a program of yours: the client's waybill.worker() makes one.",
      );
      if (others!.more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
  program
    .command('projections')
    .description('show how far read models and reactions are behind')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      await printer.list(await waybill.projections(), PROJECTIONS, 'Nothing follows the log yet.');
    });
  program
    .command('leaders')
    .description('list which process leads each role that one process has at a time')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      await printer.list((await waybill.system.get()).leaders, LEADERS, 'No process has led a role yet.');
    });
  program
    .command('api-keys')
    .description('list the API keys that the service accepts, and when each was used last')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      await printer.list(
        await waybill.apiKeys(),
        API_KEYS,
        "The service requires no API keys. 'waybill api-key' makes one for its WAYBILL_API_KEYS.",
      );
    });
  program
    .command('whoami')
    .description('show who you are to the service, and what you may do')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      const me = await waybill.me();
      await printer.show(me, () => meInLines(me));
    });
}

const meInLines = ({ actor, person, key, may, queues }: MeView): string[] => [
  `You are '${actor}'${person === null ? '' : `, signed in as '${person}'`}.`,
  key === null
    ? 'The service requires no API keys: everybody may do everything.'
    : `Your API key is '${key.name}' (${key.id}). It ${key.expiresAt === null ? 'does not expire' : `expires at ${key.expiresAt}`}, and may: ${may.join(', ')}.`,
  ...(key?.quota ? [`Its quota: ${quotaInWords(key.quota)}.`] : []),
  ...(queues === null
    ? []
    : [queues.length === 0 ? 'It reads no queue.' : `It reads the queues ${queues.join(', ')}.`]),
];

/** Without those of the service itself. */
async function workersAsOf(past: PastWaybill, limit: number, printer: Printer): Promise<void> {
  const page = (cursor: string | undefined) => past.workerPage({ internal: false, cursor });
  const { items, more } = await first(everyAsOf(page, printer), limit);
  await printer.list(items, WORKERS, 'No worker had claimed a task in the week before.');
  if (more) printer.note(`There were more than ${limit}. Use --limit to show more.`);
}

const counted = (title: string, of: (worker: WorkerView) => number, drop?: number): Column<WorkerView> => ({
  title,
  of: (worker) => count(of(worker)),
  right: true,
  drop,
});

const WORKERS: readonly Column<WorkerView>[] = [
  { title: 'worker', of: ({ name }) => name },
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'server', of: ({ server }) => server, drop: 6 },
  { title: 'build', of: ({ build }) => build ?? '', drop: 5 },
  { title: 'queues', of: ({ queues }) => queues.join(', '), drop: 2 },
  { title: 'last seen', of: ({ lastSeenAt }) => lastSeenAt, drop: 1 },
  counted('running', ({ running }) => running),
  counted('claimed', ({ claimed }) => claimed, 4),
  counted('succeeded', ({ succeeded }) => succeeded),
  counted('failed', ({ failed }) => failed),
  counted('lost', ({ lost }) => lost, 3),
  { title: 'offers', of: ({ offers }) => workerLabels(offers), drop: 7 },
  { title: 'stuck', of: stuckInWords, drop: 1 },
];

const API_KEYS: readonly Column<ApiKeyView>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'id', of: ({ id }) => id, drop: 4 },
  { title: 'may', of: ({ may }) => may.join(', '), drop: 2 },
  { title: 'quota', of: ({ quota }) => quotaInWords(quota) || '-', drop: 3 },
  { title: 'expires', of: ({ expiresAt }) => expiresAt ?? 'never' },
  { title: 'last used', of: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
];

const LEADERS: readonly Column<LeaderView>[] = [
  { title: 'role', of: ({ role }) => role },
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'process', of: ({ process }) => process, drop: 1 },
  { title: 'since', of: ({ since }) => since },
  {
    title: 'last round',
    of: ({ workedSeconds }) => (workedSeconds === null ? '-' : `${age(workedSeconds * 1_000)} ago`),
  },
];

const PROJECTIONS: readonly Column<ProjectionView>[] = [
  { title: 'projection', of: ({ name }) => name },
  { title: 'version', of: ({ version }) => version, right: true, drop: 2 },
  { title: 'position', of: ({ position }) => position, right: true, drop: 1 },
  { title: 'behind', of: ({ lagSeconds }) => (lagSeconds === 0 ? '-' : age(lagSeconds * 1_000)), right: true },
  { title: 'events behind', of: ({ lagEvents }) => (lagEvents === null ? '-' : count(lagEvents)), right: true },
  { title: 'status', of: ({ status, error, stoppedAt }) => (error ? `${status} at ${stoppedAt}: ${error}` : status) },
];
