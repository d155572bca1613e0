import type { PolicyChanges, QueueStats, QueueView, TransactionQueue, Waybill } from '@waybill/client';
import type { Command } from 'commander';
import { atLeastOne, first, jsonObject, seconds, time, typedOrPiped } from '../arguments.js';
import { ownOptionsOf } from '../common-options.js';
import { asNotDone } from '../not-drained.js';
import { reasonOption } from '../reason-option.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import type { Open } from '../session.js';
import type { Printer } from '../terminal/printer.js';
import { fields, type Column } from '../terminal/table.js';
import { age, byClass, count } from '@waybill/client/words';
import { addHistory } from './history.js';
import { addDeletion } from './queue-deletion.js';
import { addRetention } from './queue-retention.js';
import { addStats } from './queue-stats.js';
import { addVersions } from './queue-versions.js';
import { addWaits } from './queue-waits.js';
import { tell, tellDefinition } from './receipt.js';

export function addQueueCommands(program: Command, open: Open): void {
  addList(program, open);
  const queue = program.command('queue').description("inspect and control a queue; 'waybill queues' lists all");
  addShow(queue, open);
  addHistory(queue, 'queue', open);
  addStats(queue, open);
  addWaits(queue, open);
  addRetention(queue, open);
  addVersions(queue, open);
  addDefinitions(queue, open);
  for (const verb of Object.keys(STEPS) as Verb[]) addStep(queue, verb, STEPS[verb], open);
  addDeletion(queue, open);
}

/** The client's methods that need only the queue. */
type Verb = Exclude<
  keyof TransactionQueue,
  'name' | 'enqueue' | 'define' | 'changePolicy' | 'setLimit' | 'unsetLimit' | 'delete'
>;

interface Step {
  readonly about: string;
  /** The description of the option `--until`, if the command has one. */
  readonly until?: string;
  /** Likewise of `--wait`. */
  readonly wait?: string;
}

const STEPS: Readonly<Record<Verb, Step>> = {
  pause: {
    about: 'stop giving out tasks',
    until: 'when the queue resumes by itself',
    wait: 'wait this long until nothing of it runs; exit with 1 if tasks still run then',
  },
  resume: { about: 'give out tasks again' },
  closeIntake: { about: 'stop accepting tasks' },
  openIntake: { about: 'accept tasks again' },
  finish: { about: 'finish a queue whose tasks have all ended' },
  reopen: { about: 'reopen a finished queue' },
};

function addStep(queue: Command, verb: Verb, { about, until, wait: waits }: Step, open: Open): void {
  const name = verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const step = queue.command(`${name} <queue>`).description(about).addOption(reasonOption());
  if (until) step.option('--until <time>', until, time);
  if (waits) step.option('--wait <seconds>', waits, seconds);
  step.action(async (of: string, _: object, command: Command) => {
    const { waybill, printer } = open(command);
    const { wait, ...options } = ownOptionsOf<{ reason?: string; until?: Date; wait?: number }>(command);
    const queue = waybill.queue(of);
    await tell(printer, await queue[verb](options));
    if (wait === undefined) return;
    await queue.drained({ timeoutMs: wait * 1_000 }).catch(asNotDone);
    printer.note(`Nothing of queue ${of} runs any more.`);
  });
}

function addList(program: Command, open: Open): void {
  program
    .command('queues')
    .description("list all queues with the states of their tasks, the service's own last")
    .option('--limit <n>', 'show at most n queues', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async ({ limit, asOf }: { limit: number } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      if (asOf !== undefined) return listAsOf(asOf, limit, waybill, printer);
      const [others, own] = await Promise.all([false, true].map((internal) => firstQueues(waybill, internal, limit)));
      await printer.list(
        [...others!.rows, ...own!.rows],
        COLUMNS,
        "There are no queues yet. 'waybill queue define' makes one.",
      );
      if (others!.more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

/** Without those of the service itself. The counts are of the position that the moment meant. */
async function listAsOf(asOf: string, limit: number, waybill: Waybill, printer: Printer): Promise<void> {
  let position = asOf;
  const page = async (cursor: string | undefined) => {
    const found = await waybill.asOf(asOf).queuePage({ internal: false, cursor });
    position = found.asOf!.position;
    return found;
  };
  const { items, more } = await first(everyAsOf(page, printer), limit);
  const counted = await first(waybill.asOf(position).queueStats({ internal: false }), limit);
  const counts = new Map(counted.items.map((one) => [one.queue, one.counts]));
  const rows = items.map((view) => ({ ...view, counts: counts.get(view.name)! }));
  await printer.list(rows, PAST_COLUMNS, 'There were no queues then.');
  if (more) printer.note(`There were more than ${limit}. Use --limit to show more.`);
}

interface PastRow extends QueueView {
  readonly counts: QueueStats['counts'];
}

/** The first queues of the service itself, or of the others, with their statistics. */
async function firstQueues(waybill: Waybill, internal: boolean, limit: number) {
  const [views, counted] = await Promise.all([
    first(waybill.queues({ internal }), limit),
    first(waybill.queueStats({ internal }), limit),
  ]);
  const stats = new Map(counted.items.map((one) => [one.queue, one]));
  return { rows: views.items.map((view) => ({ ...view, stats: stats.get(view.name) ?? null })), more: views.more };
}

function addShow(queue: Command, open: Open): void {
  queue
    .command('show <queue>')
    .description('show a queue with its policy')
    .addOption(asOfOption())
    .action(async (name: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      if (asOf !== undefined) return showAsOf(name, asOf, waybill, printer);
      const [view, stats] = await Promise.all([waybill.queue(name).get(), waybill.queue(name).stats()]);
      await printer.show({ ...view, stats }, (paint) => fields(details(view, statistics(stats)), paint));
    });
}

/** The counts are of the position that the moment meant. */
async function showAsOf(name: string, asOf: string, waybill: Waybill, printer: Printer): Promise<void> {
  const view = await waybill.asOf(asOf).queue(name).get();
  const { counts } = await waybill.asOf(view.asOf!.position).queue(name).tally();
  tellMoment(view.asOf, printer);
  await printer.show({ ...view, counts }, (paint) => fields(details(view, inStates(counts)), paint));
}

function addDefinitions(queue: Command, open: Open): void {
  queue
    .command('define <queue>')
    .description('create a queue, or leave an existing one unchanged; fields that you leave out take their defaults')
    .option('--policy <json>', "the policy, or '-' to read it from the standard input", '{}')
    .option('--preset <name>', 'a preset for the fields that you leave out')
    .option('--description <text>', 'what the queue is for')
    .option('--replace', 'replace the policy of an existing queue')
    .addOption(reasonOption())
    .action(async (name: string, options: DefineOptions, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const { policy, preset, description, replace, reason } = options;
      const given = (await typedOrPiped(policy, stdin, jsonObject)) as PolicyChanges;
      await tellDefinition(printer, await waybill.queue(name).define(given, { preset, description, replace, reason }));
    });
  queue
    .command('change <queue> <policy>')
    .description("change fields of a queue's policy: a JSON object, or '-' to read it from the standard input")
    .addOption(reasonOption())
    .action(async (name: string, policy: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const changes = (await typedOrPiped(policy, stdin, jsonObject)) as PolicyChanges;
      const { policyVersion } = await waybill.queue(name).get();
      await tell(printer, await waybill.queue(name).changePolicy(changes, { ifVersion: policyVersion, reason }));
    });
}

interface DefineOptions {
  readonly policy: string;
  readonly preset?: string;
  readonly description?: string;
  readonly replace?: true;
  readonly reason?: string;
}

interface Row extends QueueView {
  /** Null if the queue was defined a moment ago. */
  readonly stats: QueueStats | null;
}

const counted = (state: keyof QueueStats['counts']): Column<Row> => ({
  title: state,
  of: ({ stats }) => count(stats?.counts[state] ?? 0),
  right: true,
  drop: DROP[state],
});

/** The state, with everything that may need attention. */
const stateOf = ({ state, intake, stats }: Row): string =>
  [state, ...(intake.open ? [] : ['closed']), ...(stats?.unattended ? ['no worker'] : [])].join(', ');

const COUNTED = ['pending', 'running', 'held', 'undecided', 'failed', 'succeeded'] as const;

/** What tells least whether work goes on is left out first. */
const DROP: Partial<Record<keyof QueueStats['counts'], number>> = { held: 6, undecided: 5, succeeded: 3 };

const COLUMNS: readonly Column<Row>[] = [
  { title: 'queue', of: ({ name }) => name },
  { title: 'state', of: stateOf, as: 'state' },
  ...COUNTED.map(counted),
  { title: 'longest wait', of: ({ stats }) => age(stats?.oldestWaitingMs ?? null), right: true, drop: 1 },
  { title: 'longest run', of: ({ stats }) => age(stats?.longestRunMs ?? null), right: true, drop: 4 },
];

const countedThen = (state: (typeof COUNTED)[number]): Column<PastRow> => ({
  title: state,
  of: ({ counts }) => count(counts[state] ?? 0),
  right: true,
  drop: DROP[state],
});

const PAST_COLUMNS: readonly Column<PastRow>[] = [
  { title: 'queue', of: ({ name }) => name },
  { title: 'state', of: ({ state, intake }) => [state, ...(intake.open ? [] : ['closed'])].join(', '), as: 'state' },
  ...COUNTED.map(countedThen),
];

const inStates = (counts: QueueStats['counts']): (readonly [string, unknown])[] =>
  Object.entries(counts).map(([state, tasks]) => [state, tasks > 0 ? count(tasks) : null] as const);

function details(view: QueueView, tasks: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  const { pause, intake, waitingFor, policy } = view;
  return [
    ['queue', view.name],
    ['description', view.description],
    ['state', view.state],
    ['paused by', pause?.by],
    ['reason', pause?.reason],
    ['until', pause?.until],
    ['after failure', pause?.failure && `of ${pause.failure.taskId}: ${pause.failure.message ?? pause.failure.class}`],
    ['waits for', waitingFor?.join(', ')],
    ['intake', intake.open ? 'open' : `closed by ${intake.by}${intake.reason ? `: ${intake.reason}` : ''}`],
    ...tasks,
    ['policy', `version ${view.policyVersion}`],
    ...Object.entries(policy).map(
      ([name, value]) => [`  ${name}`, value === null ? null : JSON.stringify(value)] as const,
    ),
  ];
}

function statistics(stats: QueueStats): (readonly [string, unknown])[] {
  const mean = ({ count: times, total, max }: QueueStats['waitingMs']): string | null =>
    times === 0 ? null : `${age(total / times)} on average, ${age(max)} at most`;
  return [
    ...inStates(stats.counts),
    ['failures', byClass(Object.fromEntries(Object.entries(stats.failuresByClass).filter(([, n]) => n > 0)))],
    ['longest wait', stats.oldestWaitingMs === null ? null : age(stats.oldestWaitingMs)],
    ['longest run', stats.longestRunMs === null ? null : age(stats.longestRunMs)],
    ['overdue', stats.overdue ? count(stats.overdue) : null],
    ['workers', stats.unattended ? unattendedSince(stats.lastPolledAt) : null],
    ['waited', mean(stats.waitingMs)],
    ['ran', mean(stats.runningMs)],
  ];
}

const unattendedSince = (lastPolledAt: string | null): string =>
  lastPolledAt === null
    ? 'no worker has claimed from this queue yet'
    : `tasks wait that no worker claims or knows; the last claim was at ${lastPolledAt}`;
