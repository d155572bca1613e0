import { wrapped } from '@waybill/client/words';
import { type Command, Option } from 'commander';
import { UsageError } from './problems.js';
import { openSession, type Surroundings } from './session.js';
import { Live, type Picture } from './terminal/live.js';

/** Those that show one state of things, and no history of it. */
const WATCHED: readonly string[] = [
  'queues',
  'tasks',
  'batches',
  'triggers',
  'failures',
  'holds',
  'resources',
  'workers',
  'operations',
  'system',
  'task show',
  'batch show',
  'queue show',
  'queue stats',
];

const WATCH = new Option('--watch', 'fill the terminal, and show it anew when something changes; q or Ctrl-C ends it');
WATCH.conflicts('asOf');

/** Adds the option to the commands that show what changes. */
export function addWatchOption(command: Command, path = ''): void {
  if (WATCHED.includes(path)) command.addOption(WATCH);
  for (const each of command.commands) addWatchOption(each, `${path} ${each.name()}`.trimStart());
}

export const isWatched = (command: Command): boolean =>
  command.options.includes(WATCH) && command.getOptionValue(WATCH.attributeName()) === true;

/** Carries out a command line again and again. `once` does so without `--watch`. */
export async function watch(
  command: Command,
  args: readonly string[],
  surroundings: Surroundings,
  once: (args: readonly string[], surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const session = openSession(command, surroundings);
  if (!session.stdout.isTTY || session.printer.json)
    throw new UsageError(
      "error: Expected a terminal for --watch, but the output goes elsewhere. 'waybill events --follow' tells programs what happens.",
    );
  const words = args.filter((word) => word !== WATCH.long);
  const look = (shown: Surroundings) => once(words, shown);
  await new Live(session, new Repeated(`waybill ${words.join(' ')}`, surroundings, look)).run();
}

/** What a command prints, each time that it is looked at. */
class Repeated implements Picture {
  private at = '';
  private shown: readonly string[] = [];

  constructor(
    private readonly title: string,
    private readonly surroundings: Surroundings,
    private readonly carryOut: (surroundings: Surroundings) => Promise<void>,
  ) {}

  async look(): Promise<void> {
    const { columns } = this.surroundings.stdout;
    const [printed, noted]: [string[], string[]] = [[], []];
    await this.carryOut({
      ...this.surroundings,
      stdout: terminalInto(printed, columns),
      stderr: { write: (text: string | Uint8Array) => noted.push(String(text).trimEnd()) > 0 },
    });
    this.at = new Date().toISOString().slice(11, 19);
    this.shown = [...printed.join('').split('\n'), ...noted.flatMap((text) => wrapped(text, columns))];
  }

  lines(_now: number, lost: boolean): readonly string[] {
    const state = lost ? `Waybill does not answer. Showing data from ${this.at}; trying again.` : `${this.at} UTC`;
    return [`${this.title}  ${state}`.slice(0, this.surroundings.stdout.columns), '', ...this.shown];
  }
}

/** Texts that are made for the terminal, but not yet shown. */
const terminalInto = (texts: string[], columns: number): NodeJS.WriteStream =>
  ({ isTTY: true, columns, write: (text: string) => texts.push(text) > 0 }) as unknown as NodeJS.WriteStream;
