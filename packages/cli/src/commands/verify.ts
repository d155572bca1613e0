import { readFile } from 'node:fs/promises';
import { jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import { addCommonOptions, commonOptionsOf, LOCAL } from '../common-options.js';
import { NotDone } from '../problems.js';
import type { LogFinding, Surroundings, VerifiedLog } from '../session.js';
import { Printer } from '../terminal/printer.js';

interface Options {
  readonly key?: string;
  readonly seal: readonly string[];
  readonly limit: number;
}

/** Compares a log with itself and with seals that were kept. */
export function addVerifyCommand(program: Command, { stdout, stderr, env, verifyLog }: Surroundings): void {
  const verify = program
    .command('verify')
    .description('verify that nobody changed the log of DATABASE_URL since it was sealed')
    .option('--key <file>', "the public key of the log, which you kept: a copy of the notary's key.pub")
    .option('--seal <file>', "a seal that you kept: a copy of the notary's file 'seal'; repeatable", collected, [])
    .option('--limit <n>', 'show at most n findings', Number, 100)
    .addHelpText('after', MORE)
    .action(async ({ key: keyFile, seal: files, limit }: Options, command: Command) => {
      const printer = new Printer(stdout, stderr, env, commonOptionsOf(command).json ?? false);
      if (!verifyLog) throw new NotDone(NOT_INSTALLED);
      if (files.length > 0 && keyFile === undefined)
        throw new NotDone(
          'Expected --key with --seal: whose seal it is cannot be told without a key that you kept.',
          2,
        );
      const found: LogFinding[] = [];
      const onFinding = (finding: LogFinding): void => void (found.length < limit && found.push(finding));
      const key = keyFile === undefined ? null : (await textOf(keyFile)).trim();
      const seals = await Promise.all(files.map(async (name) => ({ name, text: await textOf(name) })));
      const result = await verifyLog(env, { key, seals, onFinding });
      if ('refused' in result) throw new NotDone(result.refused, 2);
      for (const one of found) await printer.line(printer.json ? jsonLine(one) : lineOf(one));
      await tell(result, found.length, printer);
    });
  addCommonOptions(verify, LOCAL);
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new NotDone(`Expected a file '${file}', but: ${error.message}`, 2);
  });

const lineOf = ({ kind, position, says }: LogFinding): string =>
  `${kind}${position === null ? '' : ` at ${position}`}: ${says}`;

async function tell(result: VerifiedLog, shown: number, printer: Printer): Promise<void> {
  const { findings, size, root, seals } = result;
  if (printer.json) await printer.line(jsonLine({ ...result }));
  if (findings > shown) printer.note(`${findings - shown} more are not shown. Use --limit to show more.`);
  const sum = `Verified ${size} leaves with the root ${root}`;
  if (findings > 0) throw new NotDone(`${sum}: ${findings} findings.`);
  if (seals === 0) throw new NotDone(`${sum}: ${ITSELF_ONLY}`, 3);
  printer.note(
    `${sum}: the log is what ${seals === 1 ? 'the seal says' : `the ${seals} seals say`}, and what came later.`,
  );
}

const ITSELF_ONLY =
  'the log agrees with itself; nothing shows that it is the log of yesterday. Keep seals, and give them with --seal.';

const MORE = `
Exit codes: 0 as sealed, 1 findings, 2 a key or a seal cannot be used, 3 no seal was given and the log agrees with itself.
Findings: ALTERED, a segment is not what its digest or the stored tree says; GAP, events lack or were put in; CONFLICT, the log was another one when
a seal was signed; SHORTER, it had more then. Reads the whole log, takes no lock, and trusts no key or seal but yours.
Example: waybill verify --key key.pub --seal monday.seal --seal tuesday.seal`;

const NOT_INSTALLED =
  "Expected to verify a log, but only the command line is installed here. 'npx waybill verify' includes what reads it.";
