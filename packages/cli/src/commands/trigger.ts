import type { TriggerDefinition, TriggerHandle, TriggerReceipt, TriggerView } from '@waybill/client';
import { occurrences, plural } from '@waybill/client/words';
import { type Command, Option } from 'commander';
import { atLeastOne, first, jsonObject, oneOf, typedOrPiped } from '../arguments.js';
import { dayOrPosition } from '../day.js';
import { ownOptionsOf } from '../common-options.js';
import { reasonOption } from '../reason-option.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import { UsageError } from '../problems.js';
import type { Open, Session } from '../session.js';
import type { Printer } from '../terminal/printer.js';
import { type Column, fields } from '../terminal/table.js';
import { addHistory } from './history.js';
import { confirm } from './many-tasks.js';
import { tell } from './receipt.js';

export function addTriggerCommands(program: Command, open: Open): void {
  addList(program, open);
  const trigger = program
    .command('trigger')
    .description(
      "make tasks at recurring times, of what waits in a queue, of events, or of signed requests; 'waybill triggers' lists all",
    );
  addShow(trigger, open);
  addHistory(trigger, 'trigger', open);
  addSchedule(trigger, open);
  addDefine(trigger, open);
  addReplay(trigger, open);
  for (const verb of Object.keys(STEPS) as Verb[]) addStep(trigger, verb, open);
}

function addList(program: Command, open: Open): void {
  program
    .command('triggers')
    .description('list all triggers with their next and last firings')
    .option('--limit <n>', 'show at most n triggers', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async ({ limit, asOf }: { limit: number } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const all =
        asOf === undefined
          ? waybill.triggers()
          : everyAsOf((cursor) => waybill.asOf(asOf).triggerPage({ cursor }), printer);
      const { items, more } = await first(all, limit);
      await printer.list(
        items,
        COLUMNS,
        "There are no triggers yet. 'waybill trigger schedule' makes one, and so does 'waybill trigger define'.",
      );
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

function addShow(trigger: Command, open: Open): void {
  trigger
    .command('show <trigger>')
    .description('show a trigger with its pattern in words')
    .addOption(asOfOption())
    .action(async (name: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await (asOf === undefined ? waybill : waybill.asOf(asOf)).trigger(name).get();
      tellMoment(view.asOf, printer);
      await printer.show(view, (paint) => fields(shown(view), paint));
      if (view.delivery) printer.note(`Its tasks: waybill tasks --label trigger=${name}`);
    });
}

interface ScheduleOptions {
  readonly timeZone: string;
  readonly missed?: TriggerDefinition['missed'];
  readonly changes?: string;
  readonly to?: readonly string[];
  readonly description?: string;
  readonly reason?: string;
}

function addSchedule(trigger: Command, open: Open): void {
  trigger
    .command('schedule <trigger> <cron> [task]')
    .description(
      "make a task at every time of a cron pattern, or mail what has changed; the task is a JSON object with its queue, or '-' to read it from the standard input",
    )
    .option(
      '--changes <queue>',
      'instead of a task: mail which tasks of the queue are not what they were the last time',
    )
    .option('--to <address...>', 'with --changes: who gets the mail')
    .option('--time-zone <name>', 'the IANA name of the time zone', 'UTC')
    .option(
      '--missed <what>',
      'what becomes of missed occurrences: each, latest or skip',
      oneOf('each', 'latest', 'skip'),
    )
    .option('--description <text>', 'what the trigger is for')
    .addOption(reasonOption())
    .action(async (name: string, cron: string, typed: string | undefined, _: object, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const { reason, changes, to, ...rest } = ownOptionsOf<ScheduleOptions>(command);
      const made = { ...(await taskIn(typed, stdin)), ...changesIn(changes, to) };
      await tellTrigger(printer, await waybill.trigger(name).define({ cron, ...made, ...rest }, { reason }));
    });
}

async function taskIn(typed: string | undefined, stdin: Session['stdin']): Promise<Pick<TriggerDefinition, 'task'>> {
  if (typed === undefined) return {};
  return { task: (await typedOrPiped(typed, stdin, jsonObject)) as TriggerDefinition['task'] };
}

function changesIn(queue?: string, to?: readonly string[]): Pick<TriggerDefinition, 'changes'> {
  if ((queue === undefined) !== (to === undefined))
    throw new UsageError('error: Expected --changes and --to together, but there is only one of them.');
  return queue === undefined ? {} : { changes: { queue, to: { mail: { to: [...to!] } } } };
}

const EXAMPLES = `
Examples:
  waybill trigger define post-invoices '{"queue": "invoices", "batchSize": 10, "every": 30, "task": {"queue": "robots"}}'
                                a job in queue 'robots' for up to 10 tasks of queue 'invoices', every 30 s
  waybill trigger define invoice-failed '{"event": {"types": ["TaskFailed"], "queue": "invoices"}, "mail": {"to": ["ann@example.com"]}}'
                                mail for every invoice that fails
  waybill trigger define morning '{"cron": "0 7 * * *", "timeZone": "UTC", "changes": {"queue": "invoices", "to": {"mail": {"to": ["ann@example.com"]}}}}'
                                mail every morning of what has changed since the last one
  waybill trigger define pushes '{"delivery": {"scheme": "github", "secret": "github", "headers": ["x-github-event"]}, "task": {"queue": "builds"}}'
                                a task for every webhook that GitHub signs; 'waybill trigger show pushes' says where to send them`;

/** Defines a trigger of any kind, including those whose definition does not fit into arguments. */
function addDefine(trigger: Command, open: Open): void {
  trigger
    .command('define <trigger> <definition>')
    .description(
      "define a trigger of a queue, of events, of signed requests or of times; the definition is a JSON object as in the API, or '-' to read it from the standard input",
    )
    .addHelpText('after', EXAMPLES)
    .addOption(reasonOption())
    .action(async (name: string, typed: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const definition = (await typedOrPiped(typed, stdin, jsonObject)) as TriggerDefinition;
      await tellTrigger(printer, await waybill.trigger(name).define(definition, { reason }));
    });
}

interface ReplayOptions {
  readonly from: string;
  readonly to?: string;
  readonly yes?: true;
  readonly preview?: true;
  readonly reason?: string;
}

const PLACE = "a time, how long ago, 'yesterday', a position of the log, or 'beginning'";

/** Asks once somebody knows how many events it will tell. */
function addReplay(trigger: Command, open: Open): void {
  trigger
    .command('replay <trigger>')
    .description('tell the events of a range once more: new tasks or deliveries of the same events, marked as a replay')
    .requiredOption('--from <place>', `where the range begins: ${PLACE}`, place)
    .option('--to <place>', 'where it ends; now if absent', place)
    .addOption(new Option('--preview', 'only count the events').conflicts('yes'))
    .option('--yes', 'do not ask for confirmation, also for more than 1,000,000 events')
    .addOption(reasonOption())
    .action(async (name: string, options: ReplayOptions, command: Command) => {
      const session = open(command);
      const { reason, yes, preview, ...range } = options;
      const handle = session.waybill.trigger(name);
      const counted = await handle.replay({ ...range, preview: true });
      const told = counted.count === null ? 'more than 1,000,000 events' : plural(counted.count, 'event');
      if (preview) return session.printer.show(counted, () => [`It would tell ${told}.`]);
      if (!yes && counted.count !== null) await confirm(session, `tell ${told} once more?`);
      const started = await handle.replay({ from: counted.after, to: counted.upTo, yes: yes === true }, { reason });
      await session.printer.show(started, () => [`Replay ${started.id} tells ${told}.`]);
    });
}

const place = (given: string): string => (given === 'beginning' ? given : dayOrPosition(given));

const STEPS = {
  enable: 'fire at the times of the pattern again',
  disable: 'stop firing',
  delete: 'delete a trigger; its tasks stay',
  fire: 'make the task of a trigger now',
} as const;

type Verb = keyof typeof STEPS;

function addStep(trigger: Command, verb: Verb, open: Open): void {
  trigger
    .command(`${verb} <trigger>`)
    .description(STEPS[verb])
    .addOption(reasonOption())
    .action(async (name: string, _: object, command: Command) => {
      const { waybill, printer } = open(command);
      await tellTrigger(printer, await receiptOf(verb, waybill.trigger(name), ownOptionsOf(command)));
    });
}

async function receiptOf(verb: Verb, trigger: TriggerHandle, options: { reason?: string }): Promise<TriggerReceipt> {
  if (verb !== 'fire') return trigger[verb](options);
  const { status, ...receipt } = await trigger.fire(options);
  return { ...receipt, recorded: status === 'enqueued' };
}

/** Prints also what the command dropped. */
async function tellTrigger(printer: Printer, receipt: TriggerReceipt): Promise<void> {
  await tell(printer, receipt);
  if (receipt.dropped) printer.note(`It dropped ${occurrences(receipt.dropped)}, which had made no task yet.`);
}

const COLUMNS: readonly Column<TriggerView>[] = [
  { title: 'trigger', of: ({ name }) => name },
  { title: 'state', of: ({ state, failure }) => (failure ? `${state}, failing` : state), as: 'state' },
  { title: 'when', of: ({ words, timeZone }) => (timeZone ? `${words} (${timeZone})` : words) },
  { title: 'makes', of: (trigger) => madeBy(trigger), drop: 1 },
  { title: 'next', of: ({ next }) => next[0] ?? '' },
  { title: 'last', of: ({ last }) => last?.occurrence ?? '', drop: 2 },
];

const shown = (view: TriggerView): readonly (readonly [string, unknown])[] => [
  ['trigger', view.name],
  ['description', view.description],
  ['state', view.state],
  ['pattern', view.cron && `${view.cron} (${view.timeZone})`],
  ['when', view.words],
  ['missed', view.missed],
  ['batch size', view.batchSize],
  ['makes', madeBy(view)],
  ['task', view.task && JSON.stringify(view.task)],
  ['takes', view.delivery && `POST /v1/triggers/${view.name}/deliveries`],
  ['gives on', view.delivery?.headers?.join(', ')],
  ['last item', view.lastItem],
  ['next', view.next.join(', ')],
  ['last', view.last && `${view.last.occurrence}, task ${view.last.task}`],
  ['left out', view.skipped && `${occurrences(view.skipped)}; ${view.skipped.total} in all`],
  ['failing', view.failure && `${view.failure.problem.detail}${retryOf(view.failure.retryAt)}`],
];

const retryOf = (at: string | null): string => (at === null ? '; the event is given up' : `; next try at ${at}`);

/** Where its tasks go, or who is told. */
function madeBy({ task, changes, ...recipient }: TriggerView): string {
  if (task) return `a task in ${task.queue}`;
  if (changes) return `${told(changes.to)} with what changed in ${changes.queue}`;
  return told(recipient);
}

const told = ({ mail, webhook }: Pick<TriggerView, 'mail' | 'webhook'>): string =>
  mail ? `mail to ${mail.to.join(', ')}` : `a call of ${webhook!.url}`;
