import { Previewed, WaybillError, WaybillUnavailable } from '@waybill/client';
import { harmless } from '@waybill/client/words';
import { type Command, CommanderError } from 'commander';
import { programFor } from './program.js';
import { NotDone, UsageError } from './problems.js';
import { refusalOf } from './refusal.js';
import { printerFor, type Surroundings, urlFor } from './session.js';
import { tellPreview } from './terminal/command-preview.js';
import { unavailable } from './unavailable.js';
import { isWatched, watch } from './watch.js';

/** Runs one command line. Returns the exit code: 0 done, 1 refused or not done, 2 invalid usage, 3 as `check` says. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let command: Command | null = null;
  try {
    await carryOut(args, surroundings, (ran) => (command = ran));
    return 0;
  } catch (error) {
    // Commander has printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Previewed) {
      await tellPreview(printerFor(command, surroundings), error.preview);
      return 0;
    }
    const [text, code] = verdictOn(error, command, surroundings.env);
    if (text) surroundings.stderr.write(`${harmless(text)}\n`);
    return code;
  }
}

/** A list that is watched is carried out anew whenever something changes. */
async function carryOut(
  args: readonly string[],
  surroundings: Surroundings,
  onCommand: (command: Command) => void,
): Promise<void> {
  const program = programFor(surroundings).hook('preAction', (_, command) => {
    onCommand(command);
    if (isWatched(command)) throw new Watched(command);
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof Watched)) throw error;
    await watch(error.command, args, surroundings, (words, shown) => carryOut(words, shown, onCommand));
  }
}

/** Comes instead of the command, which is not to print on the terminal by itself. */
class Watched extends Error {
  constructor(readonly command: Command) {
    super();
  }
}

/**
 * A problem that a person can fix is reported in one sentence: also an argument that only the client refused. Any other
 * error is a bug, and its stack is the report.
 */
function verdictOn(
  error: unknown,
  command: Command | null,
  env: NodeJS.ProcessEnv,
): readonly [text: string, code: number] {
  if (error instanceof UsageError) return [error.message, 2];
  if (isRefusedArgument(error)) return [`error: ${error.message}.`, 2];
  if (error instanceof WaybillError) return [refusalOf(error, command), 1];
  if (error instanceof WaybillUnavailable) return [unavailable(error, urlFor(command, env)), 1];
  if (error instanceof NotDone) return [error.message, error.exitCode];
  throw error;
}

/** The client refuses arguments with errors in the words of Waybill. Those of JavaScript itself are bugs. */
const isRefusedArgument = (error: unknown): error is Error =>
  (error instanceof TypeError || error instanceof RangeError) && /^Expected .+, but /s.test(error.message);
