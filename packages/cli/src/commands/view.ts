import type { SavedView, ViewDefinition } from '@waybill/client';
import { type Command, Option } from 'commander';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';
import { tell } from './receipt.js';

export function addViewCommands(program: Command, open: Open): void {
  addList(program, open);
  const view = program
    .command('view')
    .description("lists of tasks that everybody finds under their names; 'waybill views' lists all");
  addSave(view, open);
  addDelete(view, open);
}

function addList(program: Command, open: Open): void {
  program
    .command('views')
    .description('list the views that are saved for everybody, with what they search for and who saved them')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      const views = await waybill.views.list();
      await printer.list(views, COLUMNS, "No view is saved for everybody. 'waybill view save' saves one.");
    });
}

type SaveOptions = Pick<ViewDefinition, 'overdue' | 'sort' | 'reason'>;

function addSave(view: Command, open: Open): void {
  view
    .command('save <view> [search...]')
    .description('save a search of tasks for everybody, or change what a view shows')
    .option('--overdue', 'only open tasks whose deadline has passed')
    .addOption(new Option('--sort <order>', 'in this order').choices(['deadline', 'newest']))
    .addOption(reasonOption())
    .action(async (name: string, search: readonly string[], options: SaveOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const { overdue, sort, reason } = options;
      const definition = { q: search.join(' ') || undefined, overdue, sort };
      await tell(printer, await waybill.views.save(name, definition, { reason }));
    });
}

function addDelete(view: Command, open: Open): void {
  view
    .command('delete <view>')
    .description('delete a view for everybody')
    .addOption(reasonOption())
    .action(async (name: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.views.delete(name, { reason }));
    });
}

const COLUMNS: readonly Column<SavedView>[] = [
  { title: 'view', of: ({ name }) => name },
  {
    title: 'search',
    of: ({ q, overdue }) => [q, overdue ? '--overdue' : ''].filter(Boolean).join(' ') || 'every task',
  },
  { title: 'sort', of: ({ sort }) => sort, drop: 3 },
  { title: 'saved', of: ({ savedAt }) => savedAt, drop: 2 },
  { title: 'by', of: ({ savedBy }) => savedBy, drop: 1 },
];
