import type { ChangesOptions, ChangesPage, ChangesSum, TaskChange, Waybill } from '@waybill/client';
import { changeInWords, plural } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { dayOrPosition } from '../day.js';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';
import type { Printer } from '../terminal/printer.js';

type Options = Pick<ChangesOptions, 'queue' | 'batch'> & {
  readonly since: string;
  readonly until?: string;
  readonly limit: number;
  readonly summary?: true;
};

const MOMENT = "a time, 'today', 'yesterday', how long ago, such as '24h', or a position of the log";

export function addChangesCommand(program: Command, open: Open): void {
  program
    .command('changes')
    .description(
      'show which tasks are not what they were at an earlier moment: their state, step, error class or priority',
    )
    .requiredOption('--since <moment>', `the first of the two moments: ${MOMENT}`, dayOrPosition)
    .option('--until <moment>', 'the second one; now if absent', dayOrPosition)
    .option('--queue <name>', 'only tasks of this queue')
    .option('--batch <id>', 'only tasks of this batch')
    .option('--summary', 'show how many tasks went from which state to which instead')
    .option('--limit <n>', 'show at most n tasks', atLeastOne, 100)
    .action(async ({ limit, summary, batch, ...range }: Options, command: Command) => {
      const { waybill, printer } = open(command);
      if (summary) {
        const sum = await waybill.changesSum(range);
        return printer.show(sum, () => summed(sum, printer));
      }
      const asked = { ...range, ...(batch !== undefined && { batch }) };
      const seen = { hidden: 0 };
      const { items, more } = await first(changesIn(waybill, asked, seen), limit);
      await printer.list(items, COLUMNS, 'No task has changed.');
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more, or --summary to count them.`);
      if (seen.hidden > 0) printer.note(left(seen.hidden));
    });
}

/** Counts what the pages leave out. */
async function* changesIn(
  waybill: Waybill,
  asked: ChangesOptions,
  seen: { hidden: number },
): AsyncGenerator<TaskChange> {
  let cursor: string | null | undefined;
  do {
    const page: ChangesPage = await waybill.changesPage({ ...asked, ...(cursor && { cursor }) });
    seen.hidden += page.hidden;
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const left = (hidden: number): string =>
  `${plural(hidden, 'task')} outside of the queues of the API key ${hidden === 1 ? 'is' : 'are'} left out.`;

const COLUMNS: readonly Column<TaskChange>[] = [
  { title: 'task', of: ({ task }) => task, as: 'id' },
  { title: 'queue', of: ({ queue }) => queue, drop: 1 },
  { title: 'reference', of: ({ reference }) => reference, drop: 2 },
  { title: 'change', of: changeInWords },
  { title: 'at', of: ({ at }) => at },
];

type Moved = NonNullable<ChangesSum['moves']>[number];
type AtBoth = NonNullable<ChangesSum['states']>[number];

function summed({ since, until, moves, states, hidden }: ChangesSum, printer: Printer): readonly string[] {
  const range = `From ${since.at} (position ${since.position}) to ${until.at} (position ${until.position}).`;
  const inStates = states?.filter(({ before, after }) => before + after > 0) ?? [];
  return [
    range,
    moves === null
      ? 'More than 1,000,000 events lie between: ask for a shorter range to see what became of which tasks.'
      : moves.length > 0
        ? printer.table(moves, MOVES)
        : 'No task has changed its state.',
    ...(inStates.length > 0 ? [printer.table(inStates, STATES)] : []),
    ...(hidden > 0 ? [left(hidden)] : []),
  ];
}

const MOVES: readonly Column<Moved>[] = [
  { title: 'queue', of: ({ queue }) => queue },
  { title: 'from', of: ({ from }) => from ?? 'new' },
  { title: 'to', of: ({ to }) => to },
  { title: 'tasks', of: ({ tasks }) => tasks, right: true },
];

const STATES: readonly Column<AtBoth>[] = [
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'then', of: ({ before }) => before, right: true },
  { title: 'later', of: ({ after }) => after, right: true },
];
