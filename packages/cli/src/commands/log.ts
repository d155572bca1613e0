import type { LogKeyView, LogView, SealView } from '@waybill/client';
import { onOneLine, plural } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';
import { NotDone } from '../problems.js';
import { addLogExport } from './log-export.js';
import { tell } from './receipt.js';

export function addLogCommands(program: Command, open: Open): void {
  const log = program
    .command('log')
    .description('show how far the log is sealed, list its seals, or take it along')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await waybill.log.get();
      await printer.show(view, () => inLines(view));
    });
  log
    .command('seals')
    .description('list the seals of the log, the newest first')
    .option('--limit <n>', 'show at most n', atLeastOne, 20)
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const { items, more } = await first(waybill.log.seals({ limit: Math.min(limit + 1, MOST) }), limit);
      await printer.list(items, SEALS, UNSEALED);
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
  log
    .command('accept-loss')
    .description('accept that a part of the sealed log is lost, so that the rest is sealed on, under another name')
    .requiredOption('--size <n>', "the leaves of the log that is lost, as 'waybill log' says", atLeastOne)
    .addOption(reasonOption().makeOptionMandatory())
    .addHelpText('after', ACCEPTED)
    .action(async ({ size, reason }: { readonly size: number; readonly reason: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.log.acceptLoss(size, reason));
    });
  addKeyCommands(log, open);
  addLogExport(log, open);
}

function addKeyCommands(log: Command, open: Open): void {
  log
    .command('keys')
    .description('list the keys of the log and of those before it, with the last seal of each')
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = open(command);
      const keys = await waybill.log.keys();
      await printer.show(keys, () => (keys.length === 0 ? [UNSEALED] : keys.flatMap(keyInWords)));
    });
  log
    .command('new-key')
    .description('retire the key of the log, and have the notary seal on with another one, under another name')
    .addOption(reasonOption().makeOptionMandatory())
    .option('--log <name>', "the log whose key to retire, as 'waybill log' says; the one that is sealed now if absent")
    .addHelpText('after', RETIRED)
    .action(async ({ reason, log: given }: { readonly reason: string; readonly log?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      const name = given ?? (await waybill.log.get()).name;
      if (name === null) throw new NotDone(UNSEALED);
      await tell(printer, await waybill.log.newKey(name, reason));
    });
}

/** The most items of a page. */
const MOST = 500;

const UNSEALED =
  'Nobody has sealed the log yet. WAYBILL_NOTARY_DIR gives a process a folder for the key that seals it.';

const ACCEPTED = `
The event names the last seal of the log before, and stays in the log for ever, with the reason. Seals of the log before go on to contradict this one.
Look at 'waybill log' first: who restored no backup, and lost no disk, has an intruder.`;

const RETIRED = `
The notary signs the log up to here with the old key for the last time. This last seal names the next key: 'waybill log keys' shows both.
Hand out the new key.pub, also to the operators of witnesses. Proofs and seals under the old key stay valid; 'waybill verify' finds what it signs from here on.`;

function keyInWords({ name, key, end }: LogKeyView): string[] {
  const line = key ?? `the key of '${name}', which the folder of the notary keeps`;
  if (end === null) return [`${line}  in use`];
  const said = `${end.by} ${SAID[end.why]} at ${end.at}${end.reason === null ? '' : `: ${onOneLine(end.reason)}`}`;
  const last =
    end.size === null ? 'the notary has not ended it yet' : `ended with ${plural(end.size, 'leaf', 'leaves')}`;
  return [
    `${line}  ${last}: ${said}`,
    ...(end.note === null
      ? []
      : end.note
          .trimEnd()
          .split('\n')
          .map((text) => `  ${text}`)),
  ];
}

const SAID = { loss: 'accepted its loss', newKey: 'retired its key' } as const;

function inLines({ state, name, key, stopped, lost, before, seal, size, lagSeconds, audited }: LogView): string[] {
  if (state === 'unsealed') return [UNSEALED];
  return [
    ...(name === null ? [] : [`The log '${name}', with the public key ${key}.`]),
    ...(seal === null ? ['It has no seal yet.'] : [inWords(seal), ...later(size - seal.size, lagSeconds)]),
    ...(audited === null ? [] : [`Audited up to position ${audited.position}, since ${audited.since}.`]),
    ...(before === null ? [] : [inWordsBefore(before)]),
    ...(stopped === null ? [] : [`Nothing is sealed since ${stopped.since}: ${stopped.reason}`]),
    ...(lost === null ? [] : [`If that is lost for good: waybill log accept-loss --size ${lost.size} --reason …`]),
  ];
}

const inWords = ({ size, position, madeAt, witnesses }: SealView): string =>
  `Sealed at ${madeAt} up to position ${position}, with ${plural(size, 'leaf', 'leaves')}: ` +
  `${witnesses.length === 0 ? 'not witnessed' : `witnessed by ${witnesses.join(', ')}`}.`;

const inWordsBefore = ({ name, size, why, at, by, reason }: NonNullable<LogView['before']>): string =>
  `The log '${name}' before it ended with ${plural(size, 'leaf', 'leaves')}: ${by} ${SAID[why]} at ${at}${reason === null ? '' : `: ${onOneLine(reason)}`}`;

const later = (leaves: number, lagSeconds: number | null): string[] =>
  lagSeconds ? [`What came later is ${lagSeconds} s old, with ${plural(leaves, 'leaf', 'leaves')} in the tree.`] : [];

const SEALS: readonly Column<SealView>[] = [
  { title: 'size', of: ({ size }) => String(size) },
  { title: 'position', of: ({ position }) => position, drop: 1 },
  { title: 'made', of: ({ madeAt }) => madeAt },
  { title: 'root', of: ({ root }) => root },
  { title: 'witnesses', of: ({ witnesses }) => witnesses.join(', '), drop: 2 },
];
