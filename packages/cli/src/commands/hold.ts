import type { HoldView } from '@waybill/client';
import type { Command } from 'commander';
import { atLeastOne, first, labels } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import { type Column, fields } from '../terminal/table.js';
import { addHistory } from './history.js';
import { tell } from './receipt.js';

export function addHoldCommands(program: Command, open: Open): void {
  addList(program, open);
  const hold = program
    .command('hold')
    .description("keep tasks with certain labels from being given out; 'waybill holds' lists those in force");
  addPlace(hold, open);
  addLift(hold, open);
  addShow(hold, open);
  addHistory(hold, 'hold', open);
}

interface PlaceOptions {
  readonly label: Record<string, string>;
  readonly reason?: string;
  readonly forbidsErasure?: true;
}

function addPlace(hold: Command, open: Open): void {
  hold
    .command('place <hold>')
    .description('hold tasks that have all of these labels when their turn comes')
    .requiredOption('--label <name=value>', 'a label of the tasks; repeat it for more', labels)
    .option('--forbids-erasure', 'hold no task, and forbid to erase what they were about')
    .addOption(reasonOption())
    .action(async (name: string, { label, reason, forbidsErasure }: PlaceOptions, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.holds.place(name, label, { reason, forbidsErasure }));
    });
}

function addLift(hold: Command, open: Open): void {
  hold
    .command('lift <hold>')
    .description('catch no more tasks; those that are held stay so until they are released')
    .addOption(reasonOption())
    .action(async (name: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.holds.lift(name, { reason }));
    });
}

function addList(program: Command, open: Open): void {
  program
    .command('holds')
    .description('list the holds that are in force, with how many tasks they hold')
    .option('--limit <n>', 'show at most n holds', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async ({ limit, asOf }: { limit: number } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const all =
        asOf === undefined
          ? waybill.holds.list()
          : everyAsOf((cursor) => waybill.asOf(asOf).holds.page({ cursor }), printer);
      const { items, more } = await first(all, limit);
      await printer.list(items, COLUMNS, "No hold is in force. 'waybill hold place' places one.");
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

function addShow(hold: Command, open: Open): void {
  hold
    .command('show <hold>')
    .description('show a hold, whether it is in force or lifted')
    .addOption(asOfOption())
    .action(async (name: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await (asOf === undefined ? waybill : waybill.asOf(asOf)).holds.get(name);
      tellMoment(view.asOf, printer);
      await printer.show(view, (paint) => fields(shown(view), paint));
    });
}

const labelsOf = ({ labels }: HoldView): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

const COLUMNS: readonly Column<HoldView>[] = [
  { title: 'hold', of: ({ name }) => name },
  { title: 'labels', of: labelsOf },
  { title: 'holds', of: ({ holds, forbidsErasure }) => (forbidsErasure ? 'no erasure' : String(holds ?? '')) },
  { title: 'placed', of: ({ placedAt }) => placedAt, drop: 1 },
  { title: 'by', of: ({ placedBy }) => placedBy, drop: 2 },
  { title: 'reason', of: ({ reason }) => reason ?? '' },
];

const shown = (view: HoldView): readonly (readonly [string, unknown])[] => [
  ['hold', view.name],
  ['state', view.state],
  ['labels', labelsOf(view)],
  ['reason', view.reason],
  ['placed', `${view.placedAt}, by ${view.placedBy}`],
  ['lifted', view.liftedAt && `${view.liftedAt}, by ${view.liftedBy}`],
  ['holds', view.forbidsErasure ? 'nothing, but forbids erasure' : view.holds],
];
