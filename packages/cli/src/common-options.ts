import { type Command, Option } from 'commander';
import { PREVIEW } from './preview-option.js';

/** The options that every command has. */
export interface CommonOptions {
  readonly url?: string;
  readonly actor?: string;
  readonly agent?: string;
  readonly json?: true;
  /** Whether times are shown as they are, also on a terminal. */
  readonly utc?: true;
}

const HEADING = 'Options of every command:';

const JSON_OPTION = new Option('--json', 'print one JSON document per line, for programs');

/** The common options of a command that contacts no service. */
export const LOCAL: readonly Option[] = [JSON_OPTION];

const COMMON: readonly Option[] = [
  new Option('--url <address>', 'address of the service (default: WAYBILL_URL, then http://127.0.0.1:3000)'),
  new Option('--actor <name>', 'your name in the history (default: WAYBILL_ACTOR, then your user name)'),
  new Option('--agent <name>', 'the program or assistant that acts for you, in the history (default: WAYBILL_AGENT)'),
  JSON_OPTION,
  new Option('--utc', "show times in UTC instead of '4 min ago'; pipes always get them so"),
];
for (const option of COMMON) option.helpGroup(HEADING);

const HELP = new Option('-h, --help', 'show this help').helpGroup(HEADING);

/** Adds the options to this command and its subcommands. A command keeps its own option of the same name. */
export function addCommonOptions(command: Command, common = COMMON): void {
  const own = new Set(command.options.map(({ long }) => long));
  for (const option of common) if (!own.has(option.long)) command.addOption(option);
  command.addHelpOption(HELP);
  for (const each of command.commands) addCommonOptions(each, common);
}

/** The options of this command alone, to pass on: the client refuses those that it does not know. */
export const ownOptionsOf = <Own extends object>(command: Command): Own =>
  Object.fromEntries(
    command.options
      .filter((option) => !COMMON.includes(option) && option !== PREVIEW)
      .map((option) => [option.attributeName(), command.getOptionValue(option.attributeName()) as unknown]),
  ) as Own;

/** The values given before or after the command's name. Those of the innermost command win. */
export function commonOptionsOf(command: Command | null): CommonOptions {
  if (command === null) return {};
  const given = COMMON.filter((option) => command.options.includes(option))
    .map((option) => [option.attributeName(), command.getOptionValue(option.attributeName()) as unknown] as const)
    .filter(([, value]) => value !== undefined);
  return { ...commonOptionsOf(command.parent), ...Object.fromEntries(given) };
}
