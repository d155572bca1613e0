import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoError } from '../demo/options.js';
import type { Options } from './play.js';

export const HELP = `npm run example:invoices -- [options]

Makes e-invoices in UBL 2.1, some of them wrong, and lets robots check them and book them in a ledger: two robots take
invoices by themselves, and a third gets jobs that a trigger makes. Totals that do not add up and missing tax numbers
are the sender's to mend, files that were cut off are repaired and retried, a register that is away is asked again, and
a duplicate is refused. Stop it at any moment and run the same command again: it goes on where it was.

  --count N     how many invoices (default: 100, at most 2000)
  --seed N      makes other invoices (default: 1)
  --folder PATH where the invoices and the ledger are (default: below .waybill/invoices)
  --help        this text

Starts a service with a database of its own in .waybill, or uses the one that WAYBILL_URL names, with the key in
WAYBILL_API_KEY.`;

/** Null if help was requested. Throws `DemoError` if something is wrong. */
export function readOptions(args: readonly string[], dataDir: string): Options | null {
  const values = parsed(args);
  if (values.help) return null;
  const [count, seed] = [whole('--count', values.count, 1, 2_000), whole('--seed', values.seed, 0, 2 ** 31)];
  return { count, seed, folder: resolve(values.folder ?? join(dataDir, 'invoices', `${count}-${seed}`)) };
}

function parsed(args: readonly string[]) {
  const options = {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [problem] = (error as Error).message.split(/\.( |$)/);
    throw new DemoError(`Expected options as 'npm run example:invoices -- --help' lists them, but: ${problem}.`);
  }
}

function whole(name: string, given: string, least: number, most: number): number {
  const value = Number(given);
  if (given.trim() !== '' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new DemoError(`Expected ${name} to be a whole number from ${least} to ${most}, but it is '${given}'.`);
}
