import { type Difference, differencesOf } from '@waybill/client/words';
import type { Command } from 'commander';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';

/** How a task differs between two moments. */
export function addDiff(task: Command, open: Open): void {
  task
    .command('diff <id> <from> [to]')
    .description(
      "show in what a task differs between two moments: times, positions of the log, or so long ago ('10m'); without the second, from now",
    )
    .action(async (id: string, from: string, to: string | undefined, _: object, command: Command) => {
      const { waybill, printer } = open(command);
      const at = (moment: string | undefined) => (moment === undefined ? waybill : waybill.asOf(moment)).task(id).get();
      const [before, after] = await Promise.all([at(from), at(to)]);
      // The moments that were asked for differ anyway.
      const found = differencesOf(before, after).filter(({ path }) => !/^asOf\b/.test(path));
      await printer.list(found, COLUMNS, 'The task is the same.');
    });
}

const text = (value: unknown): string =>
  value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value);

const COLUMNS: readonly Column<Difference>[] = [
  { title: 'what', of: ({ path }) => path },
  { title: 'before', of: ({ before }) => text(before) },
  { title: 'after', of: ({ after }) => text(after) },
];
