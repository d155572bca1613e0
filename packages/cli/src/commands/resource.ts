import type { ResourceDefinition, ResourceView } from '@waybill/client';
import { type Command, InvalidArgumentError } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import { type Column, fields } from '../terminal/table.js';
import { addHistory } from './history.js';
import { tell } from './receipt.js';

export function addResourceCommands(program: Command, open: Open): void {
  addList(program, open);
  const resource = program
    .command('resource')
    .description("what steps need, by gauges that workers measure; 'waybill resources' lists all");
  addDefine(resource, open);
  addMeasure(resource, open);
  addDelete(resource, open);
  addShow(resource, open);
  addHistory(resource, 'resource', open);
}

function addDefine(resource: Command, open: Open): void {
  resource
    .command('define <resource>')
    .description('define a resource, or change it; it is short until somebody measures it')
    .option('--description <text>', 'what it is')
    .option('--unit <unit>', 'what its gauge counts, such as %')
    .option('--stale-after <seconds>', 'how old a measure may be, 60 by default', atLeastOne)
    .addOption(reasonOption())
    .action(async (name: string, options: ResourceDefinition & { staleAfter?: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const { description, unit, staleAfter: staleAfterSeconds, reason } = options;
      const definition = { description, unit, staleAfterSeconds };
      await tell(printer, await waybill.resources.define(name, definition, { reason }));
    });
}

function addMeasure(resource: Command, open: Open): void {
  resource
    .command('measure')
    .argument('<resource>')
    .argument('<value>', '', number)
    .description('say what its gauge shows now')
    .action(async (name: string, value: number, _: object, command: Command) => {
      const { waybill, printer } = open(command);
      const { unmet, ...measured } = await waybill.resources.measure(name, value);
      const words = unmet.length === 0 ? 'It is below every limit.' : `It is not below ${unmet.join(' and ')}.`;
      await printer.show({ ...measured, unmet }, () => [words]);
    });
}

function addDelete(resource: Command, open: Open): void {
  resource
    .command('delete <resource>')
    .description('delete a resource that no queue needs')
    .addOption(reasonOption())
    .action(async (name: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.resources.delete(name, { reason }));
    });
}

function addList(program: Command, open: Open): void {
  program
    .command('resources')
    .description('list the resources, with what their gauges show and how many tasks wait')
    .option('--limit <n>', 'show at most n resources', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async ({ limit, asOf }: { limit: number } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const all =
        asOf === undefined
          ? waybill.resources.list()
          : everyAsOf((cursor) => waybill.asOf(asOf).resources.page({ cursor }), printer);
      const { items, more } = await first(all, limit);
      await printer.list(items, COLUMNS, "There are no resources yet. 'waybill resource define' makes one.");
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

function addShow(resource: Command, open: Open): void {
  resource
    .command('show <resource>')
    .description('show a resource, and the steps that need it')
    .addOption(asOfOption())
    .action(async (name: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await (asOf === undefined ? waybill : waybill.asOf(asOf)).resources.get(name);
      tellMoment(view.asOf, printer);
      await printer.show(view, (paint) => fields(shown(view), paint));
    });
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError(`Expected a number, but got '${text}'`);
  return value;
}

const gaugeOf = ({ value, unit, state }: ResourceView): string | null =>
  value === null ? state && 'never measured' : `${value}${unit ?? ''}${state === 'stale' ? ' (too old)' : ''}`;

const needOf = ({ queue, step, below, met, waiting }: ResourceView['needs'][number]): string =>
  `${step} of ${queue} below ${below}: ${met ? 'met' : `not met, ${waiting} waiting`}`;

const COLUMNS: readonly Column<ResourceView>[] = [
  { title: 'resource', of: ({ name }) => name },
  { title: 'gauge', of: (view) => gaugeOf(view) ?? '' },
  { title: 'measured', of: ({ measuredAt }) => measuredAt ?? '', drop: 1 },
  { title: 'by', of: ({ measuredBy }) => measuredBy ?? '', drop: 2 },
  { title: 'needed by', of: ({ needs }) => needs.map(needOf).join('; ') },
];

const shown = (view: ResourceView): readonly (readonly [string, unknown])[] => [
  ['resource', view.name],
  ['description', view.description || null],
  ['gauge', gaugeOf(view)],
  ['measured', view.measuredAt && `${view.measuredAt}${view.measuredBy ? `, by ${view.measuredBy}` : ''}`],
  ['too old after', `${view.staleAfterSeconds} s`],
  ['defined', `${view.definedAt}, by ${view.definedBy}`],
  ['needed by', view.needs.map(needOf).join('; ') || null],
];
