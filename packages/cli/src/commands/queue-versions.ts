import type { BlamedField, FieldChange, PolicyVersion, Waybill } from '@waybill/client';
import { type Command, InvalidArgumentError } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import type { Open } from '../session.js';
import type { Printer } from '../terminal/printer.js';
import type { Column } from '../terminal/table.js';

export function addVersions(queue: Command, open: Open): void {
  queue
    .command('versions <queue>')
    .description("list the versions of a queue's policy, the newest first: who changed what, when and why")
    .option('--diff <from..to>', 'show the fields in which two versions differ instead, such as 6..7', twoVersions)
    .option('--limit <n>', 'show at most n versions', atLeastOne, 100)
    .addOption(asOfOption().conflicts('diff'))
    .action(async (name: string, { diff, limit, asOf }: VersionOptions, command: Command) => {
      const { waybill, printer } = open(command);
      if (diff) {
        const found = await waybill.queue(name).diff(...diff);
        return printer.show(found, () =>
          found.changes.length > 0 ? [printer.table(found.changes, CHANGES)] : ['The two versions are the same.'],
        );
      }
      const { items, more } = await first(versionsOf(waybill, name, printer, asOf), limit);
      await printer.list(items, VERSIONS, 'There is no version.');
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
  queue
    .command('blame <queue>')
    .description("show who set each field of a queue's policy, when and why")
    .addOption(asOfOption())
    .action(async (name: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const blame = await (asOf === undefined ? waybill : waybill.asOf(asOf)).queue(name).blame();
      tellMoment(blame.asOf, printer);
      await printer.show(blame, () => [printer.table(blame.fields, FIELDS)]);
    });
}

interface VersionOptions extends AsOfOption {
  readonly diff?: [number, number];
  readonly limit: number;
}

const versionsOf = (waybill: Waybill, queue: string, printer: Printer, asOf?: string): AsyncIterable<PolicyVersion> =>
  asOf === undefined
    ? waybill.queue(queue).versions()
    : everyAsOf((cursor) => waybill.asOf(asOf).queue(queue).versionPage({ cursor }), printer);

const text = (value: unknown): string => JSON.stringify(value ?? null);

const told = ({ field, from, to }: FieldChange): string => `${field} from ${text(from)} to ${text(to)}`;

const VERSIONS: readonly Column<PolicyVersion>[] = [
  { title: 'version', of: ({ version }) => version, right: true },
  { title: 'at', of: ({ at }) => at },
  { title: 'by', of: ({ by }) => by },
  { title: 'what', of: ({ outcome, changes }) => (outcome === 'defined' ? 'defined' : changes.map(told).join('; ')) },
  { title: 'reason', of: ({ reason }) => reason, drop: 1 },
];

const CHANGES: readonly Column<FieldChange>[] = [
  { title: 'field', of: ({ field }) => field },
  { title: 'from', of: ({ from }) => text(from) },
  { title: 'to', of: ({ to }) => text(to) },
];

const FIELDS: readonly Column<BlamedField>[] = [
  { title: 'field', of: ({ field }) => field },
  { title: 'value', of: ({ value }) => text(value) },
  { title: 'version', of: ({ setBy }) => setBy?.version ?? null, right: true },
  { title: 'by', of: ({ setBy }) => setBy?.by ?? null },
  { title: 'at', of: ({ setBy }) => setBy?.at ?? null },
  { title: 'reason', of: ({ setBy }) => setBy?.reason ?? null, drop: 1 },
];

function twoVersions(given: string): [number, number] {
  const [, from, to] = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/.exec(given) ?? [];
  if (from === undefined || to === undefined)
    throw new InvalidArgumentError('Expected two versions of the policy, such as 6..7.');
  return [Number(from), Number(to)];
}
