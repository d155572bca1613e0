import type { Overlap, OverlapPage } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { type Command, InvalidArgumentError } from 'commander';
import { atLeastOne, since, whole } from '../arguments.js';
import type { Open } from '../session.js';
import { linesOfLineage } from '../terminal/lineage.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import type { Column } from '../terminal/table.js';

export function addLineage(task: Command, open: Open): void {
  task
    .command('lineage <id>')
    .description('show what led to a task, and what followed from it')
    .option('--up <n>', 'over how many steps to show what led to it', steps, 3)
    .option('--down <n>', 'over how many steps to show what followed from it', steps, 3)
    .action(async (id: string, options: { readonly up: number; readonly down: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const lineage = await waybill.task(id).lineage(options);
      await printer.show(lineage, (paint) => linesOfLineage(lineage, paint));
    });
}

interface Options {
  readonly queue?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

export function addOverlaps(program: Command, open: Open): void {
  program
    .command('overlaps')
    .description('list attempts that were lost, and whose workers reported after the next one had begun')
    .option('--queue <name>', 'only those of this queue')
    .option('--from <time>', 'from this time on, or from so long ago; 24h if absent', since)
    .option('--to <time>', 'up to this time', since)
    .option('--limit <n>', 'show at most n', atLeastOne, 100)
    .action(async ({ limit, ...filter }: Options, command: Command) => {
      const { waybill, printer } = open(command);
      const page = await waybill.overlaps({ ...filter, limit: Math.min(limit, MOST) });
      await printer.list(page.items, COLUMNS, nothingMatches('overlap', { ...filter }));
      printer.note(shareOf(page));
    });
}

/** The most items of a page. */
const MOST = 500;

const shareOf = ({ overlaps, attempts, share }: OverlapPage): string =>
  `${plural(overlaps, 'overlap')} in ${plural(attempts, 'attempt')}${share === null ? '' : ` (${(share * 100).toPrecision(2)} %)`}.`;

const COLUMNS: readonly Column<Overlap>[] = [
  { title: 'queue', of: ({ queue }) => queue },
  { title: 'task', of: ({ task }) => task, as: 'id' },
  { title: 'attempt', of: ({ attempt, worker }) => `${attempt} by ${worker}` },
  { title: 'next', of: ({ nextAttempt, nextWorker }) => `${nextAttempt} by ${nextWorker}` },
  { title: 'from', of: ({ begunAt }) => begunAt, drop: 2 },
  { title: 'to', of: ({ endedAt }) => endedAt, drop: 1 },
];

function steps(given: string): number {
  const value = whole(given);
  if (value >= 0 && value <= 10) return value;
  throw new InvalidArgumentError('Expected a whole number from 0 to 10.');
}
