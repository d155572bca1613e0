import type { FailureGroupSummary, FailureGroupView, ResolveOptions } from '@waybill/client';
import { type Command, Option } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import { type Column, fields } from '../terminal/table.js';
import { tell } from './receipt.js';

export function addFailureCommands(program: Command, open: Open): void {
  addList(program, open);
  const failure = program
    .command('failure')
    .description(
      "show a group of failures of the same cause, and say what became of it; 'waybill failures' lists them",
    );
  addShow(failure, open);
  addResolve(failure, open);
  addSay(failure, open, 'ignore', 'say that its failures need nobody; they are still counted');
  addSay(failure, open, 'reopen', 'open a group again that was resolved or ignored');
}

interface ListOptions extends AsOfOption {
  readonly queue?: string;
  readonly state?: FailureGroupSummary['state'];
  readonly class?: FailureGroupSummary['class'];
  readonly order?: 'latest' | 'most';
  readonly limit: number;
}

function addList(program: Command, open: Open): void {
  program
    .command('failures')
    .alias('errors')
    .description('list failures in groups of the same cause, those that were seen last first')
    .option('--queue <name>', 'only failures of tasks of this queue')
    .addOption(new Option('--state <state>', 'only groups in this state').choices(['open', 'resolved', 'ignored']))
    .option('--class <class>', "only failures of this class, such as 'transient'")
    .addOption(new Option('--order <order>', 'what comes first').choices(['latest', 'most']))
    .option('--limit <n>', 'show at most n groups', atLeastOne, 50)
    .addOption(asOfOption())
    .action(async ({ asOf, limit, queue, state, class: ofClass, order }: ListOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const filter = { queue, state, class: ofClass, order };
      const all =
        asOf === undefined
          ? waybill.failures.list(filter)
          : everyAsOf((cursor) => waybill.asOf(asOf).failures.page({ ...filter, cursor }), printer);
      const { items, more } = await first(all, limit);
      await printer.list(items, COLUMNS, 'No failure matches.');
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

function addShow(failure: Command, open: Open): void {
  failure
    .command('show <group>')
    .description('show what failed, where and since when, what changed before that, and what repaired it last time')
    .option('--queue <name>', 'only failures of tasks of this queue')
    .addOption(asOfOption())
    .action(async (group: string, { queue, asOf }: { queue?: string } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await (asOf === undefined ? waybill : waybill.asOf(asOf)).failures.get(group, { queue });
      tellMoment(view.asOf, printer);
      await printer.show(view, (paint) => fields(shown(view), paint));
    });
}

function addResolve(failure: Command, open: Open): void {
  failure
    .command('resolve <group>')
    .description('say that the cause is gone; if a task fails like that again, the group is open again')
    .option('--build <build>', 'the build of the workers that repaired it')
    .option('--operation <id>', 'the operation that repaired it')
    .addOption(reasonOption())
    .action(async (group: string, options: ResolveOptions, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.failures.resolve(group, options));
    });
}

function addSay(failure: Command, open: Open, verb: 'ignore' | 'reopen', description: string): void {
  failure
    .command(`${verb} <group>`)
    .description(description)
    .addOption(reasonOption())
    .action(async (group: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.failures[verb](group, { reason }));
    });
}

const MESSAGE_CHARACTERS = 80;

/** The first line, because a table has one for each group. */
function shortened(title: string | null): string {
  const [line = ''] = (title ?? '').split('\n');
  return line.length > MESSAGE_CHARACTERS ? `${line.slice(0, MESSAGE_CHARACTERS - 1)}…` : line;
}

const COLUMNS: readonly Column<FailureGroupSummary>[] = [
  { title: 'group', of: ({ id }) => id },
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'failed now', of: ({ failedNow }) => String(failedNow ?? ''), right: true },
  { title: 'tasks', of: ({ failedTasks }) => String(failedTasks), right: true, drop: 3 },
  { title: 'attempts', of: ({ failedAttempts }) => String(failedAttempts), right: true, drop: 5 },
  { title: 'class', of: (group) => group.class, drop: 4 },
  { title: 'queues', of: ({ queues }) => queues.join(', '), drop: 2 },
  { title: 'last seen', of: ({ lastSeenAt }) => lastSeenAt, drop: 1 },
  { title: 'failure', of: ({ title }) => shortened(title) },
];

const shares = (of: readonly { readonly name: string; readonly count: number }[]): string =>
  of.map(({ name, count }) => `${name} (${count})`).join(', ');

const shown = (view: FailureGroupView): readonly (readonly [string, unknown])[] => {
  const { said, lastRepair, returned, preceded } = view;
  const { build, policy, operation } = preceded;
  return [
    ['group', view.id],
    ['state', said ? `${view.state}, by ${said.by} at ${said.at}` : view.state],
    ['reason', said?.reason],
    ['class', view.class],
    ['message', view.message],
    ['thrown in', view.frame],
    ['failed now', view.failedNow],
    ['failed tasks', view.failedTasks],
    ['failed attempts', view.failedAttempts],
    ['first seen', view.firstSeenAt],
    ['last seen', view.lastSeenAt],
    ['returned', returned && `${returned.at}, with task ${returned.task}`],
    ['by hour', view.hours.slice(0, SHOWN_HOURS).map(hourIn).join(', ')],
    ['examples', view.examples.map(({ task }) => task).join(', ')],
    ['queues', view.queues.join(', ')],
    ['kinds', shares(view.kinds)],
    ['workers', shares(view.workers)],
    ['builds', view.builds.join(', ')],
    ['build before', build && `${build.build} of ${build.queue}, ${build.at}`],
    ['policy before', policy && `version ${policy.version} of ${policy.queue}, ${policy.at}, by ${policy.by}`],
    ['operation before', operation && `${operation.command} ${operation.id}, ${operation.at}, by ${operation.by}`],
    ['repaired last by', lastRepair && repairIn(lastRepair)],
  ];
};

/** The newest come first; `--json` has more. */
const SHOWN_HOURS = 6;

const hourIn = ({ at, failedTasks, failedAttempts }: FailureGroupView['hours'][number]): string =>
  `${at.slice(0, 13)}h (${Math.max(failedTasks, failedAttempts)})`;

const repairIn = ({ build, operation, by, at }: NonNullable<FailureGroupView['lastRepair']>): string =>
  [build && `build ${build}`, operation && `operation ${operation}`, `${by}, ${at}`].filter((part) => part).join(', ');
