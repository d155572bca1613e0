import { plural } from '@waybill/client/words';
import { type Command, InvalidArgumentError } from 'commander';
import { checkTables, type Checked, type Tables } from '../import/check-tables.js';
import { type Imported, importTables } from '../import/import-tables.js';
import { Mapping } from '../import/mapping.js';
import { NotDone, UsageError } from '../problems.js';
import type { Open, Session } from '../session.js';

interface ImportOptions {
  readonly queues?: string;
  readonly items?: string;
  readonly mapping?: string;
  readonly status?: ReadonlyMap<string, string>;
  readonly apply?: true;
}

export function addImportCommand(program: Command, open: Open): void {
  program
    .command('import')
    .description('import queues and items of another system from tables: CSV with a header, or a JSON object a line')
    .option('--queues <file>', 'the table of queues')
    .option('--items <file>', 'the table of items')
    .option('--mapping <file>', 'how the columns, statuses and keys of another table are to be read as items')
    .option('--status <theirs=ours>', 'what an unknown status stands for; can be repeated', statuses)
    .option('--apply', 'import them; without it, only check the tables and say what would happen')
    .action(async ({ queues, items, mapping: file, status = new Map(), apply }: ImportOptions, command: Command) => {
      if (queues === undefined && items === undefined)
        throw new UsageError('error: Expected a table: --queues <file>, --items <file>, or both.');
      if (file !== undefined && items === undefined)
        throw new UsageError('error: Expected the table of items that the mapping is for: --items <file>.');
      const mapping = file === undefined ? undefined : await Mapping.read(file);
      await importOrCheck(open(command), { queues, items, custom: status, mapping }, apply ?? false);
    });
}

function statuses(given: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [theirs, ours, more] = given.split('=');
  if (theirs && ours && more === undefined) return new Map([...before, [theirs.toLowerCase(), ours]]);
  throw new InvalidArgumentError("Expected a status and what it stands for, such as 'ON_HOLD=NEW'.");
}

async function importOrCheck(session: Session, tables: Tables, apply: boolean): Promise<void> {
  const { waybill, printer } = session;
  const checked = await checkTables(waybill, tables);
  for (const { file, line, message } of checked.problems) printer.note(`${file}:${line}: ${message}.`);
  const count = checked.problemCount;
  if (count > 0) throw new NotDone(`Nothing was imported, because ${plural(count, 'row')} cannot be.`);
  if (!apply) return showPlan(session, checked);
  const imported = await importTables(waybill, tables, checked, (done) => printer.note(plural(done, 'item')));
  await showImported(session, checked, imported);
}

async function showPlan({ printer }: Session, checked: Checked): Promise<void> {
  const { id, queues, items, wereRunning, outOfOrder, expired, overdue, sameKey } = checked;
  const would = { id, queues: queues.length, items, wereRunning, outOfOrder, expired, overdue, sameKey: sameKey.size };
  await printer.show(would, () => [
    `Would import ${plural(queues.length, 'queue')}, and items: ${countsOf(items)}.`,
    ...remarks(checked),
    'Nothing was changed. Add --apply to import them.',
  ]);
}

const countsOf = ({ offered, done, failed, deleted }: Checked['items']): string =>
  `${offered} new, ${done} done, ${failed} failed, ${deleted} deleted`;

function remarks({ wereRunning, outOfOrder, expired, overdue, sameKey }: Checked): string[] {
  const late = `${plural(expired, 'new item')} will fail at once, because ${expired === 1 ? 'it has' : 'they have'} expired by now.`;
  const missed = `${plural(overdue, 'new item')} will be told as late at once, because the deadline has passed.`;
  const again = `${plural(wereRunning, 'item')} in progress will be given out again.`;
  const order = `${plural(outOfOrder, 'item')} stand behind newer ones. Sort the table by created_at to keep their order.`;
  const same = `${plural(sameKey.size, 'new item')} will be left out, because one before has the same key, and one task of a key waits.`;
  const all = [
    [wereRunning, again],
    [sameKey.size, same],
    [outOfOrder, order],
    [expired, late],
    [overdue, missed],
  ] as const;
  return all.flatMap(([count, remark]) => (count > 0 ? [remark] : []));
}

async function showImported({ printer }: Session, checked: Checked, imported: Imported): Promise<void> {
  const { imported: made, existing, refused, problems } = imported;
  const leftOut = checked.sameKey.size;
  await printer.show({ id: checked.id, imported: made, existing, leftOut, refused, problems }, (paint) => [
    `${paint.green('✓')} ${plural(checked.queues.length, 'queue')}, ${plural(made, 'item')} imported, ${existing} already there`,
    paint.dim(`The correlation id of their events is ${checked.id}.`),
  ]);
  for (const { line, code, message } of problems) printer.note(`✗ line ${line}  ${code}: ${message}`);
  if (refused > 0)
    throw new NotDone(
      `${plural(refused, 'item')} of the table was refused. Run the command again after you have mended it.`,
    );
}
