import { type EventView, type PastTask, type TaskFilter, type TaskStatus, type TaskSummary } from '@waybill/client';
import { type Command, Option } from 'commander';
import { atLeastOne, first, label, since } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import type { Open } from '../session.js';
import { linesOfGraph } from '../terminal/graph.js';
import { type Column } from '../terminal/table.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import type { Printer } from '../terminal/printer.js';
import { Timeline } from '../terminal/timeline.js';
import { explained, jsonLine, onOneLine, shortened } from '@waybill/client/words';
import { linesOfWait } from '../terminal/waits.js';
import { addDiff } from './task-diff.js';
import { addLineage } from './lineage.js';
import { addProof } from './proof.js';
import { addLog } from './task-log.js';
import { addResults } from './task-result.js';
import { addShown } from './task-show.js';
import { addTaskSteps } from './task-steps.js';
import { suggest } from './task-suggestions.js';

export function addTaskCommands(program: Command, open: Open): void {
  addList(program, open);
  const task = program.command('task').description("inspect and control tasks; 'waybill tasks' lists them");
  addShown(task, open);
  task
    .command('history <id>')
    .description('show everything that happened to a task')
    .option('-f, --follow', 'keep showing new events until the task has ended')
    .option('--stacks', 'show the stacks of errors')
    .addOption(asOfOption().conflicts('follow'))
    .action(async (id: string, { follow, stacks, asOf }: HistoryOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const task = waybill.task(id);
      const lines = new Timeline(printer.paint, printer.width, stacks);
      if (asOf !== undefined)
        return tellHistory(await historyAsOf(waybill.asOf(asOf).task(id), printer), printer, lines);
      await tellHistory(follow ? task.follow() : await task.history(), printer, lines);
    });
  task
    .command('why <id>')
    .description('show every reason why a task is not running')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const explanation = await (asOf === undefined ? waybill : waybill.asOf(asOf)).task(id).why();
      tellMoment(explanation.asOf, printer);
      await printer.show(explanation, () => explained(explanation).map(onOneLine));
    });
  task
    .command('wait <id>')
    .description('show where the waiting time of a task went')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const wait = await (asOf === undefined ? waybill : waybill.asOf(asOf)).task(id).wait();
      if (asOf !== undefined) tellMoment(wait.asOf, printer);
      await printer.show(wait, () => linesOfWait(wait));
    });
  task
    .command('graph <id>')
    .description('show what a task waits for, and what waits for it')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const graph = await (asOf === undefined ? waybill : waybill.asOf(asOf)).task(id).graph();
      tellMoment(graph.asOf, printer);
      await printer.show(graph, (paint) => linesOfGraph(graph, paint));
    });
  addDiff(task, open);
  addLineage(task, open);
  addProof(task, open);
  addResults(task, open);
  addLog(task, open);
  addTaskSteps(task, open);
}

interface HistoryOptions extends AsOfOption {
  readonly follow?: true;
  readonly stacks?: true;
}

async function historyAsOf(task: PastTask, printer: Printer): Promise<readonly EventView[]> {
  const { items, asOf } = await task.history();
  tellMoment(asOf, printer);
  return items;
}

async function tellHistory(
  events: AsyncIterable<EventView> | Iterable<EventView>,
  printer: Printer,
  lines: Timeline,
): Promise<void> {
  let isFirst = true;
  for await (const event of events) {
    if (printer.json) await printer.line(jsonLine(event));
    else for (const line of [...(isFirst ? [lines.head()] : []), ...lines.of(event)]) await printer.line(line);
    isFirst = false;
  }
}

interface ListOptions extends Omit<TaskFilter, 'label' | 'state' | 'decidedSince' | 'decidedUntil'>, AsOfOption {
  readonly decidedSince?: string;
  readonly decidedUntil?: string;
  readonly label?: readonly [name: string, value: string];
  readonly state?: string;
  readonly since?: string;
  readonly limit: number;
  readonly quiet?: true;
  readonly suggest?: true;
}

function addList(program: Command, open: Open): void {
  program
    .command('tasks [search...]')
    .description(
      'list the tasks that match all options and the search, by id, mostly oldest first; failed ones by their latest failure',
    )
    .option('--queue <name>', 'only tasks of this queue')
    .option('--state <state>', "only tasks in this state, such as 'failed', or in one of several: 'failed,pending'")
    .option('--since <time>', "only tasks that were enqueued since then: a time, or how long ago, such as '2h'", since)
    .option('--key <key>', 'only tasks with this key')
    .option('--reference <reference>', 'only tasks with this reference')
    .option('--kind <kind>', 'only tasks of this kind')
    .option('--label <name=value>', 'only tasks with this label', label)
    .option('--worker <name>', 'only tasks that this worker claimed last')
    .option('--step <name>', 'only tasks that are in this step')
    .option('--batch <id>', 'only tasks of this batch')
    .option('--group <id>', 'only tasks that failed last in this group of failures')
    .option('--overdue', 'only open tasks whose deadline has passed')
    .option('--policy-version <n>', "only tasks that this version of the queue's policy decided about", atLeastOne)
    .option('--decided-since <time>', 'with --policy-version: from this time on, or since so long ago', since)
    .option('--decided-until <time>', 'with --policy-version: before this time', since)
    .option(
      '--internal',
      "only tasks of the service's own queues, which are left out otherwise unless --queue names one",
    )
    .addOption(
      new Option(
        '--sort <order>',
        'deadline: only tasks that have one, the earliest first; newest: the greatest id first',
      ).choices(['deadline', 'newest']),
    )
    .option('--limit <n>', 'show at most n tasks', atLeastOne, 50)
    .addOption(asOfOption())
    .option('-q, --quiet', 'print only ids')
    .addOption(
      new Option('--suggest', 'say how the search may go on, instead of listing tasks').conflicts(['quiet', 'asOf']),
    )
    .action(async (search: readonly string[], options: ListOptions, command: Command) => {
      const session = open(command);
      if (options.suggest) return suggest(search.join(' '), session);
      const { waybill, printer } = session;
      const {
        queue,
        state,
        key,
        reference,
        kind,
        worker,
        step,
        batch,
        group,
        label: pair,
        limit,
        quiet,
        overdue,
        sort,
        internal,
        policyVersion,
        decidedSince,
        decidedUntil,
        asOf,
      } = options;
      const filter = {
        q: [...search, ...termsOf(options)].join(' ') || undefined,
        queue,
        state: one(state),
        key,
        reference,
        kind,
        worker,
        step,
        batch,
        group,
        policyVersion,
        decidedSince,
        decidedUntil,
      };
      const times = {
        overdue,
        sort,
        internal: internal ?? (queue === undefined && !namesQueue(search) ? false : undefined),
      };
      const by = { ...filter, ...times, ...(pair && { label: { name: pair[0], value: pair[1] } }) };
      const pages = { limit: Math.min(limit + 1, 500) };
      const { items, more } = await first(
        asOf === undefined
          ? waybill.tasks.list(by, pages)
          : everyAsOf((cursor) => waybill.asOf(asOf).taskPage(by, { ...pages, cursor }), printer),
        limit,
      );
      const nothing = nothingMatches(
        'task',
        { ...filter, label: pair?.join('='), sort, overdue: overdue ? 'true' : undefined },
        'waybill enqueue',
      );
      if (!quiet) await printer.list(items, columnsFor(options), nothing);
      else if (items.length === 0) printer.note(nothing);
      else for (const { id } of items) await printer.line(id);
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

/** A list of states, and a time, are terms of a search. */
const termsOf = ({ state, since }: ListOptions): readonly string[] => [
  ...(state?.includes(',') ? [`state:${state}`] : []),
  ...(since === undefined ? [] : [`since:${since}`]),
];

const one = (state: string | undefined): TaskStatus | undefined =>
  state?.includes(',') ? undefined : (state as TaskStatus | undefined);

/** Whether a search says which queues it means. */
const namesQueue = (search: readonly string[]): boolean => /(^|\s)queue:/.test(search.join(' '));

const COLUMNS: readonly Column<TaskSummary>[] = [
  { title: 'task', of: ({ id }) => id, as: 'id' },
  { title: 'queue', of: ({ queue }) => queue },
  { title: 'state', of: ({ stateName }) => stateName, as: 'state' },
  { title: 'waits for', of: ({ waitingFor }) => waitingFor, drop: 5 },
  { title: 'key', of: ({ key }) => key && shortened(key, 30), drop: 3 },
  { title: 'attempt', of: ({ attempt }) => attempt, right: true, drop: 4 },
  { title: 'done', of: ({ percent }) => (percent === null ? null : `${percent} %`), right: true, drop: 6 },
  { title: 'worker', of: ({ worker }) => worker, drop: 7 },
  { title: 'enqueued', of: ({ enqueuedAt }) => enqueuedAt, drop: 1 },
  { title: 'error', of: ({ error }) => error && shortened(`${error.class}: ${error.message}`, 60), drop: 2 },
];

/** Lists about deadlines show them. */
const columnsFor = ({ sort, overdue }: ListOptions): readonly Column<TaskSummary>[] =>
  sort === 'deadline' || overdue ? [...COLUMNS, { title: 'deadline', of: ({ deadlineAt }) => deadlineAt }] : COLUMNS;
