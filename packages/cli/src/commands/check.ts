import { readFile } from 'node:fs/promises';
import { jsonLine } from '@waybill/client/words';
import { type Command, InvalidArgumentError } from 'commander';
import { addCommonOptions, LOCAL } from '../common-options.js';
import { NotDone } from '../problems.js';
import { type CheckedLog, type CheckFinding, type CheckOptions, printerFor, type Surroundings } from '../session.js';
import type { Printer } from '../terminal/printer.js';

interface Options {
  readonly policy: readonly (readonly [queue: string, file: string])[];
  readonly finished?: boolean;
  readonly limit: number;
}

/** In place of a file. */
const INDEX = 'index';

/** Checks an exported log by the rules of the service that is installed together with the command line. */
export function addCheckCommand(program: Command, surroundings: Surroundings): void {
  const { checkExport } = surroundings;
  const check = program
    .command('check')
    .description('check an exported log: read every event, look at every rule, decide every command again')
    .argument('<export>', "a file that 'waybill log export' wrote, or this file compressed by gzip; 'index': see below")
    .option(
      '--policy <queue=file>',
      'decide again under this changed policy and list what differs; repeatable',
      policy,
      [],
    )
    .option('--finished', 'the work of the log is done, so nothing may be left over at its end')
    .option('--limit <n>', 'show at most n findings', Number, 100)
    .addHelpText('after', MORE)
    .action(async (path: string, { policy: policies, finished = false, limit }: Options, command: Command) => {
      const printer = printerFor(command, surroundings);
      if (path === INDEX) return lookAtIndex(surroundings, printer);
      if (!checkExport) throw new NotDone(NOT_INSTALLED);
      const found: CheckFinding[] = [];
      const onFinding: CheckOptions['onFinding'] = (finding) => void (found.length < limit && found.push(finding));
      const result = await checkExport(path, { policies: await texts(policies), isOver: finished, onFinding });
      if ('refused' in result) throw new NotDone(result.refused, 2);
      for (const one of found) await printer.line(printer.json ? jsonLine(one) : lineOf(one));
      await tell(result, found.length, printer);
    });
  addCommonOptions(check, LOCAL);
}

/** Compares the index of DATABASE_URL, which services may use meanwhile, with the log. */
async function lookAtIndex({ checkIndex, env }: Surroundings, printer: Printer): Promise<void> {
  if (!checkIndex) throw new NotDone(NOT_INSTALLED);
  const result = await checkIndex(env);
  if ('refused' in result) throw new NotDone(result.refused, 2);
  await printer.show(result, () => result.lines);
  if (result.rows > 0) throw new NotDone(`Expected the index to be as the log says, but ${result.rows} rows differ.`);
}

function policy(value: string, before: Options['policy']): Options['policy'] {
  const [, queue, file] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (queue === undefined || file === undefined)
    throw new InvalidArgumentError(`Expected a queue and a file, such as 'mail=new.json', but got '${value}'.`);
  return [...before, [queue, file]];
}

async function texts(policies: Options['policy']): Promise<ReadonlyMap<string, string>> {
  const read = policies.map(async ([queue, file]) => [queue, await textOf(file)] as const);
  return new Map(await Promise.all(read));
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new NotDone(`Expected a file '${file}' with a policy, but: ${error.message}`, 2);
  });

const lineOf = ({ invariant, position, stream, says }: CheckFinding): string =>
  `${[invariant, position && `at ${position}`, stream && `of ${stream}`].filter(Boolean).join(' ')}: ${says}`;

async function tell(result: CheckedLog, shown: number, printer: Printer): Promise<void> {
  const { events, position, faults, others, skipped } = result;
  if (printer.json) await printer.line(jsonLine({ ...result }));
  if (faults + others > shown) printer.note(`${faults + others - shown} more are not shown. Use --limit to show more.`);
  for (const one of skipped) printer.note(`Skipped without private halves: ${one}.`);
  const sum = `Checked ${events} events up to position ${position}`;
  if (faults > 0) throw new NotDone(`${sum}: ${faults} faults.`);
  if (others > 0) throw new NotDone(`${sum}: ${others} decisions would differ.`, 3);
  printer.note(`${sum}: no faults.`);
}

const MORE = `
Exit codes: 0 no faults, 1 faults, 2 the file or a policy cannot be used, 3 no faults, but decisions that differ under --policy.
Contacts no service. 'waybill check index' compares the index of DATABASE_URL, which services may use meanwhile, with the log: it reads one
snapshot, takes no lock, and ends with 1 if rows differ.`;

const NOT_INSTALLED =
  "Expected to check a log, but only the command line is installed here. 'npx waybill check' includes the rules.";
