import type { OperationDetails, OperationListOptions, OperationView } from '@waybill/client';
import { count } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first, time } from '../arguments.js';
import type { Open } from '../session.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import type { Column } from '../terminal/table.js';

type Options = Pick<OperationListOptions, 'actor' | 'command' | 'state'> & {
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
};

/** Adds the list of the commands that were given to many tasks. */
export function addOperationsCommand(program: Command, open: Open): void {
  const operations = program
    .command('operations')
    .description('show the commands that were given to many tasks, the newest first')
    .option('--actor <name>', 'only what this actor ordered')
    .option('--command <name>', "only this command, such as 'retry'")
    .option('--state <state>', "only operations in this state; a paused one is 'held'")
    .option('--since <time>', 'only what was ordered from this time on', iso)
    .option('--until <time>', 'only what was ordered up to this time', iso)
    .option('--limit <n>', 'show at most n operations', atLeastOne, 100)
    .action(async (options: Options, command: Command) => {
      const { waybill, printer } = open(command);
      const { limit, actor, command: given, state, since, until } = options;
      const asked = { actor, command: given, state, since, until };
      const { items, more } = await first(waybill.operations(asked), limit);
      await printer.list(items, COLUMNS, nothingMatches('operation', asked));
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
  operations
    .command('show <id>')
    .description('show an operation, and what has become of its tasks since')
    .action(async (id: string, _: unknown, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await waybill.operation(id);
      await printer.show(view, () => linesOf(view));
    });
}

const iso = (given: string): string => time(given).toISOString();

interface Result {
  readonly asked: number;
  readonly done: number;
}

/** Of those that matched when it was ordered. */
const givenOf = ({ result, expected }: OperationView): string =>
  `${count((result as Result | null)?.done ?? 0)} of ${count(expected)}`;

const COLUMNS: readonly Column<OperationView>[] = [
  { title: 'at', of: ({ orderedAt }) => orderedAt },
  { title: 'id', of: ({ id }) => id, as: 'id' },
  { title: 'command', of: ({ command }) => command },
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'given', of: givenOf, drop: 2 },
  { title: 'by', of: ({ by }) => by, drop: 1 },
  { title: 'reason', of: ({ reason }) => reason, drop: 3 },
];

function linesOf(view: OperationDetails): readonly string[] {
  const { command, state, by, reason, error, became } = view;
  return [
    `${command}  ${state}  ${givenOf(view)} tasks have the command`,
    `ordered by ${by}${reason === null ? '' : `: ${reason}`}`,
    ...(error === null ? [] : [error]),
    ...(became === null
      ? []
      : [
          `now: ${became.succeeded} succeeded, ${became.failed} failed, ${became.open} open, ${became.ended} ended otherwise`,
          ...became.groups.map(({ group, failed }) => `  ${count(failed)} failed in ${group}`),
        ]),
  ];
}
