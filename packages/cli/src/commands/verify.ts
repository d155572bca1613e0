import { readFile, rename, writeFile } from 'node:fs/promises';
import { harmless, jsonLine, onOneLine, plural } from '@waybill/client/words';
import type { Command } from 'commander';
import { addCommonOptions, LOCAL } from '../common-options.js';
import { NotDone } from '../problems.js';
import { type LogFinding, printerFor, type Surroundings, type VerifiedLog } from '../session.js';
import type { Printer } from '../terminal/printer.js';
import { NOT_INSTALLED, tellFile, textOf } from './verify-file.js';

interface Options {
  readonly key?: string;
  readonly seal: readonly string[];
  readonly witness: readonly string[];
  readonly payloads?: boolean;
  readonly state?: string;
  readonly limit: number;
}

/** Compares a log with itself and with seals that were kept. */
export function addVerifyCommand(program: Command, surroundings: Surroundings): void {
  const verify = program
    .command('verify [file]')
    .description(
      'verify that nobody changed the log of DATABASE_URL since it was sealed, or a file: a proof of a task, a page of evidence, an export, a certificate of an erasure',
    )
    .option('--key <file>', "the public key of the log, which you kept: a copy of the notary's key.pub")
    .option('--seal <file>', "a seal that you kept: a copy of the notary's file 'seal'; repeatable", collected, [])
    .option(
      '--witness <file>',
      'the public key of a witness whose times you believe, and which must have cosigned the seal of a file; repeatable',
      collected,
      [],
    )
    .option('--payloads', 'also read the payloads outside the log in WAYBILL_PAYLOAD_STORE, and compare their digests')
    .option(
      '--state <file>',
      'go on after what the run before verified, and keep in this file what this run has verified',
    )
    .option('--limit <n>', 'show at most n findings', Number, 100)
    .addHelpText('after', MORE)
    .action(async (file: string | undefined, options: Options, command: Command) => {
      const { key: keyFile, witness } = options;
      const printer = printerFor(command, surroundings);
      const witnesses = await Promise.all(witness.map(textOf));
      if (file === undefined) await tellLog(surroundings, options, witnesses, printer);
      else await tellFile(surroundings, { file, keyFile, witnesses }, printer);
    });
  addCommonOptions(verify, LOCAL);
}

async function tellLog(
  { env, verifyLog }: Surroundings,
  options: Options,
  witnesses: readonly string[],
  printer: Printer,
): Promise<void> {
  const { key: keyFile, seal: files, limit, payloads = false, state: stateFile } = options;
  if (!verifyLog) throw new NotDone(NOT_INSTALLED);
  assertKey(options);
  const found: LogFinding[] = [];
  const onFinding = (finding: LogFinding): void => void (found.length < limit && found.push(finding));
  const key = keyFile === undefined ? null : (await textOf(keyFile)).trim();
  const seals = await Promise.all(files.map(async (name) => ({ name, text: await textOf(name) })));
  const state = stateFile === undefined ? null : await stateOf(stateFile);
  const result = await verifyLog(env, { key, seals, witnesses, payloads, state, onFinding });
  if ('refused' in result) throw new NotDone(result.refused, 2);
  for (const one of found) await printer.line(printer.json ? jsonLine(one) : harmless(lineOf(one)));
  if (stateFile !== undefined && result.state !== null) await keep(stateFile, result.state);
  await tell(result, found.length, printer);
}

/** Whose log or seal it is cannot be told without a key. */
function assertKey({ key, seal, state }: Options): void {
  if (key !== undefined) return;
  if (seal.length > 0)
    throw new NotDone('Expected --key with --seal: whose seal it is cannot be told without a key that you kept.', 2);
  if (state !== undefined)
    throw new NotDone('Expected --key with --state: whose log was verified cannot be told without a key.', 2);
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Null before the first run. */
const stateOf = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new NotDone(`Expected a file '${file}', but: ${error.message}`, 2);
  });

/** A run that is killed leaves the state of before. */
async function keep(file: string, state: string): Promise<void> {
  await writeFile(`${file}.new`, state);
  await rename(`${file}.new`, file);
}

const lineOf = ({ kind, position, says }: LogFinding): string =>
  `${kind}${position === null ? '' : ` at ${position}`}: ${says}`;

async function tell(result: VerifiedLog, shown: number, printer: Printer): Promise<void> {
  const { state: _, ...told } = result;
  const { findings, size, root, seals, payloads, before, nextKeys, since } = result;
  if (printer.json) await printer.line(jsonLine(told));
  if (before) printer.note(goesOn(before));
  for (const key of nextKeys)
    printer.note(`A seal is the last one of its log. It names the key that comes next: ${key}`);
  if (findings > shown) printer.note(`${findings - shown} more are not shown. Use --limit to show more.`);
  const read = payloads === null ? '' : ` and ${plural(payloads, 'payload')} outside the log`;
  const sum = `Verified ${size} leaves with the root ${root}${read}`;
  if (findings > 0) throw new NotDone(`${sum}: ${findings} findings.`);
  if (seals === 0 && since === null) throw new NotDone(`${sum}: ${ITSELF_ONLY}`, 3);
  if (since !== null) printer.note(`The run before verified the first ${since}, which this one did not read.`);
  if (seals === 0) return printer.note(`${sum}: the log is what was verified before, and what came later.`);
  printer.note(
    `${sum}: the log is what ${seals === 1 ? 'the seal says' : `the ${seals} seals say`}, and what came later.`,
  );
}

/** Whoever rules the database can write such an event, so it is told, and never taken for a proof. */
const goesOn = ({ type, position, log, by, reason }: NonNullable<VerifiedLog['before']>): string =>
  `This log goes on after ${type === 'LogLossAccepted' ? `a loss that ${onOneLine(by)} accepted` : `a new key that ${onOneLine(by)} ordered`} at position ${position}${reason === null ? '' : `: ${onOneLine(reason)}`}. Verify the one before, '${onOneLine(log)}', with its own key and seals.`;

const ITSELF_ONLY =
  'the log agrees with itself; nothing shows that it is the log of yesterday. Keep seals, and give them with --seal.';

const MORE = `
Exit codes: 0 as sealed, or as verified before, 1 findings, 2 a key, a seal or a state cannot be used, 3 no seal was given and the log agrees with itself.
Findings: ALTERED, a segment is not what its digest or the stored tree says; GAP, events lack or were put in; TIME_BACK, one claims to be older than one before it, by more than a minute; TOO_OLD, one is not in a log that a witness cosigned more than a minute after its time; CONFLICT, the log was another one when
a seal was signed; SHORTER, it had more then; HALF_MISSING, a private half is gone that nobody erased; KEY_RETIRED, a key signed on after it was retired. Reads the whole log, or with --state what is new since the run before, takes no lock, and trusts no key, seal or state but yours.
Of a file, each --witness must have cosigned the seal, or the exit code is 1; other witnesses that the seal names are not checked.
A file is what 'waybill task proof', 'waybill evidence', 'waybill log export' or 'waybill erasure certificate' wrote. It needs no service and no database: 0 if it proves what it says, 1 if not, 2 if it is none.
Example: waybill verify --key key.pub --seal monday.seal --seal tuesday.seal`;
