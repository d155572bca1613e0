import type { LimitedValue, LimitPage, Rate } from '@waybill/client';
import { count, rateOf, rateText } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne } from '../arguments.js';
import { UsageError } from '../problems.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';
import { tell } from './receipt.js';

export function addLimitCommands(program: Command, open: Open): void {
  const limit = program.command('limit').description('limit how many tasks with a value of a label run or start');
  addSet(limit, open);
  addUnset(limit, open);
  addList(limit, open);
}

interface SetOptions {
  readonly maxRunning?: number;
  readonly burst?: number;
  readonly reason?: string;
}

function addSet(limit: Command, open: Open): void {
  limit
    .command('set <queue> <label> [rate]')
    .description(
      "limit the tasks of a value, such as 'customer=acme 5/s' or 'customer=acme 100/1m'; of a label alone: of each value without limits of its own",
    )
    .option('--max-running <n>', 'how many of them may run at once', atLeastOne)
    .option(
      '--burst <n>',
      'how many may start at once after a quiet time; as many as the rate says if absent',
      atLeastOne,
    )
    .addOption(reasonOption())
    .action(async (queue: string, of: string, given: string | undefined, options: SetOptions, command: Command) => {
      const { maxRunning, burst, reason } = options;
      const rate = given === undefined ? undefined : typedRate(given, burst);
      if (!rate && (maxRunning === undefined || burst !== undefined))
        throw new UsageError(
          "error: Expected a rate, such as '5/s', or --max-running, and --burst only beside a rate.",
        );
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.queue(queue).setLimit({ ...limited(of), maxRunning, rate }, { reason }));
    });
}

function addUnset(limit: Command, open: Open): void {
  limit
    .command('unset <queue> <label>')
    .description("take the limits of a value away, such as 'customer=acme', so that it has those of all others")
    .addOption(reasonOption())
    .action(async (queue: string, of: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.queue(queue).unsetLimit(limited(of), { reason }));
    });
}

function addList(limit: Command, open: Open): void {
  limit
    .command('list <queue>')
    .description('list the limits of values, how many of their tasks run, and when the next may start')
    .option('--limit <n>', 'show at most n values', atLeastOne, 100)
    .action(async (queue: string, { limit: most }: { limit: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const page = await waybill.queue(queue).limits({ limit: most });
      await printer.show(page, () => [
        page.label === null ? 'The queue limits the values of no label.' : ofAll(page),
        ...(page.items.length > 0 ? ['', printer.table(page.items, COLUMNS)] : []),
      ]);
      if (page.nextCursor !== null) printer.note(`There are more than ${most}. Use --limit to show more.`);
    });
}

const ofAll = ({ label, maxRunning, rate }: LimitPage): string => {
  const limits = [...(maxRunning ? [`${count(maxRunning)} running`] : []), ...(rate ? [rateText(rate)] : [])];
  return `Each other value of '${label}': ${limits.length > 0 ? limits.join(', ') : 'no limit'}.`;
};

const COLUMNS: readonly Column<LimitedValue>[] = [
  { title: 'value', of: ({ value }) => value ?? '(without the label)' },
  { title: 'own', of: ({ isOwn }) => (isOwn ? 'yes' : null), drop: 2 },
  { title: 'running', of: ({ running }) => count(running), right: true },
  { title: 'at most', of: ({ maxRunning }) => (maxRunning === undefined ? null : count(maxRunning)), right: true },
  { title: 'rate', of: ({ rate }) => (rate ? rateText(rate) : null) },
  { title: 'next start', of: ({ nextStartAt }) => nextStartAt ?? 'now', drop: 1 },
];

/** `customer=acme`, or `customer` for all values. */
function limited(given: string): { label: string; value?: string } {
  const [label, ...value] = given.split('=');
  if (!label) throw new UsageError("error: Expected a label with a value, such as 'customer=acme', or a label.");
  return value.length > 0 ? { label, value: value.join('=') } : { label };
}

function typedRate(given: string, burst?: number): Rate {
  const rate = rateOf(given, burst);
  if (rate) return rate;
  throw new UsageError("error: Expected a rate, such as '5/s' or '100/10m'.");
}
