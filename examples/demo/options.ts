import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** The folder to catalogue, without symbolic links in its path. */
  readonly dir: string;
  readonly once: boolean;
  /** Whether something breaks at the end, for whoever wants to repair it. */
  readonly incident: boolean;
  readonly fresh: boolean;
  readonly json: boolean;
  readonly port: number;
  readonly workers: number;
}

/** The demo cannot continue for a reason that a person can fix. The message names it in one sentence. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

export const HELP = `npm run demo -- [options]

Catalogues every file below a folder with Waybill: one task per file, two worker processes, a real Postgres.
Beside it, three queues show retries, steps and due times. The dashboard is named as soon as it is there.

  --dir PATH    the folder (default: this checkout, node_modules included)
  --once        stop when the work is done, instead of staying up until Ctrl-C
  --incident    then break something on purpose, and say how to find out and repair it
  --fresh       forget everything that earlier runs left in the data folder
  --json        print the summary as one JSON object on stdout; everything else goes to stderr
                (npm run --silent demo -- --json, or npm announces the script on stdout too)
  --port N      where the API listens (default: 3000; a free port where that one is taken)
  --workers N   worker processes, 1 to 16 (default: 2)
  --help        this text

The data are kept in .waybill, or where WAYBILL_DATA_DIR says; DATABASE_URL names a Postgres of your own.`;

/** Null if help was requested. Throws `DemoError` for invalid options. */
export async function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  checkout: string,
): Promise<DemoOptions | null> {
  const { values } = parsed(args);
  if (values.help) return null;
  return {
    dir: await folder(values.dir ?? checkout),
    once: values.once,
    incident: incidentIn(values),
    fresh: values.fresh,
    json: values.json,
    port: whole('--port', values.port ?? (env.PORT || '3000'), 0, 65_535),
    workers: whole('--workers', values.workers, 1, 16),
  };
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    dir: { type: 'string' },
    once: flag,
    incident: flag,
    fresh: flag,
    json: flag,
    help: flag,
    port: { type: 'string' },
    workers: { type: 'string', default: '2' },
  } as const;
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    // The first sentence names the option. Those after it explain how to pass it differently.
    const [problem] = (error as Error).message.split(/\.( |$)/);
    throw new DemoError(`Expected options as 'npm run demo -- --help' lists them, but: ${problem}.`);
  }
}

/** Somebody must be there to repair it. */
function incidentIn({ once, incident }: { readonly once: boolean; readonly incident: boolean }): boolean {
  if (once && incident) throw new DemoError('Expected --once or --incident, but got both: an incident waits for you.');
  return incident;
}

async function folder(path: string): Promise<string> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return await realpath(path);
  throw new DemoError(`Expected --dir to name a folder, but '${path}' is ${stats ? 'none' : 'missing'}.`);
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new DemoError(`Expected ${name} to be a whole number from ${least} to ${most}, but it is '${text}'.`);
}
