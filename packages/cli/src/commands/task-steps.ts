import {
  OPERATIONS,
  Previewed,
  type Receipt,
  type TaskHandle,
  type TransactionTask,
  WaybillError,
} from '@waybill/client';
import { type Command, Option } from 'commander';
import { json, listed, oneOf, prerequisites, repeated, time, whole } from '../arguments.js';
import { ownOptionsOf } from '../common-options.js';
import { NotDone, UsageError } from '../problems.js';
import { refusalOf } from '../refusal.js';
import { reasonOption } from '../reason-option.js';
import type { Open, Session } from '../session.js';
import { addManyOptions, FOR_MANY, type ForMany, type ManyOptions, operateOnMany } from './many-tasks.js';
import { tellPreview } from '../terminal/command-preview.js';
import { showPreview } from './previewed.js';
import { tell } from './receipt.js';

/** The operator commands on tasks. Each is applied to every task that is named or piped in, some also to all that match. */
export function addTaskSteps(task: Command, open: Open): void {
  for (const verb of VERBS)
    addStep(
      task.command(verb),
      stepOf(verb),
      open,
      FOR_MANY.find((one) => one === verb),
    );
  addStep(task.command('run-again'), RUN_AGAIN, open, 'runAgain');
}

const RUN_AGAIN: Step = {
  about: 'run ended tasks again, also those that succeeded, as new tasks',
  needsReason: true,
  options: [
    () => new Option('--payload <json>', 'the payload; if absent, that of the first run').argParser(json),
    () => new Option('--from-step <name>', 'the step to begin at, with the data recorded so far'),
    () => new Option('--queue <name>', 'the queue; if absent, that of the first run'),
  ],
  run: (task, { reason, payload, fromStep, queue }) => task.runAgain(reason!, { payload, fromStep, queue }),
};

function addStep(
  command: Command,
  { alias, argument, about, options = [], needsReason = false, run }: Step,
  open: Open,
  forMany?: ForMany,
): void {
  if (alias) command.alias(alias);
  if (argument) command.argument(`<${argument.name}>`, '', argument.read);
  command.argument(forMany ? '[ids...]' : '<ids...>', "task ids, or '-' to read them from the standard input");
  command.description(about);
  if (forMany) addManyOptions(command);
  for (const option of options) command.addOption(option());
  command.addOption(reasonOption().makeOptionMandatory(needsReason));
  command.action(async (...given: [...unknown[], Command]) => {
    const [value, ids] = (argument ? given : [undefined, given[0]]) as [unknown, string[]];
    const options = ownOptionsOf<StepOptions & ManyOptions>(command);
    if (forMany && usesFilter(ids, options)) {
      return operateOnMany(open(command), forMany, { ...options, priority: value as number | undefined });
    }
    if (forMany && options.preview)
      return showPreview(open(command), forMany, { tasks: ids }, { priority: value as number | undefined });
    await withEach(open(command), ids, (one) => run(one, options, value as never), command);
  });
}

const OF_FILTERS = [
  ['asPreviewed', '--as-previewed and --yes'],
  ['yes', '--as-previewed and --yes'],
  ['perSecond', '--per-second'],
  ['canary', '--canary'],
] as const;

/** Whether the tasks are those that match a filter, and not named. Throws if they are both, or neither. */
function usesFilter(ids: readonly string[], options: StepOptions & ManyOptions) {
  const { filter, preview, asPreviewed, yes, step, override, force } = options;
  const { canary, goOnIf, within } = options;
  const isNamed = ids.length > 0;
  if (isNamed === (filter !== undefined)) throw new UsageError('error: Expected either task ids or --filter.');
  const unused = OF_FILTERS.find(([name]) => options[name] !== undefined);
  if (isNamed && unused) throw new UsageError(`error: Expected --filter with ${unused[1]}.`);
  if (preview && (asPreviewed !== undefined || yes))
    throw new UsageError('error: Expected --preview without --as-previewed and --yes.');
  if ((filter || preview) && (step !== undefined || override || force))
    throw new UsageError('error: Expected no --step, --override or --force with --filter or --preview.');
  if (canary === undefined && (goOnIf !== undefined || within !== undefined))
    throw new UsageError('error: Expected --canary with --go-on-if and --within.');
  return !isNamed;
}

/** Runs the command on one task after the other. A refusal is printed in place and does not affect the others. */
async function withEach(
  { waybill, printer, stdin }: Session,
  ids: readonly string[],
  run: (task: TaskHandle) => Promise<Receipt>,
  command: Command,
): Promise<void> {
  const all = await listed(ids, stdin);
  let refused = 0;
  for (const id of all) {
    try {
      await tell(printer, await run(waybill.task(id)));
    } catch (error) {
      if (error instanceof Previewed) {
        await tellPreview(printer, error.preview);
        continue;
      }
      if (!(error instanceof WaybillError) || error.status >= 500) throw error;
      refused++;
      printer.note(`✗ ${id}  ${refusalOf(error, command)}`);
    }
  }
  if (refused > 0) throw new NotDone(all.length > 1 ? `${refused} of ${all.length} tasks were refused.` : '');
}

interface StepOptions {
  readonly result?: unknown;
  readonly payload?: unknown;
  readonly data?: unknown;
  readonly fromStep?: string;
  readonly queue?: string;
  readonly reason?: string;
  readonly step?: string;
  readonly override?: true;
  readonly force?: true;
  readonly after?: readonly string[];
  readonly afterBatch?: readonly string[];
  readonly waive?: readonly string[];
}

interface Step {
  readonly alias?: string;
  /** An argument that precedes the ids. */
  readonly argument?: { readonly name: string; readonly read: (given: string) => unknown };
  readonly about: string;
  readonly options?: readonly (() => Option)[];
  readonly needsReason?: boolean;
  readonly run: (task: TaskHandle, options: StepOptions, value: never) => Promise<Receipt>;
}

/** The client's methods. The names of their operations end in `Task`. */
type Verb = Exclude<keyof TransactionTask, 'id'>;

const VERBS = Object.entries(OPERATIONS)
  .filter(([operation]) => operation.endsWith('Task'))
  .filter(([, { path, idempotency }]) => path.startsWith('/v1/tasks/{id}') && idempotency === 'key')
  .map(([operation]) => operation.replace(/Task$/, '') as Verb);

/** A command that is not in the table takes only the reason. If its method took more, this would not compile. */
function stepOf(verb: Verb): Step {
  if (verb in STEPS) return STEPS[verb as keyof typeof STEPS];
  const run: Step['run'] = (task, options) => task[verb as Exclude<Verb, keyof typeof STEPS>](options);
  const { summary } = OPERATIONS[`${verb}Task` as const];
  return { about: summary.charAt(0).toLowerCase() + summary.slice(1), run };
}

/** The commands that take more than a reason. */
const STEPS = {
  retry: {
    about: 'retry failed or cancelled tasks',
    options: [
      () => new Option('--step <name>', 'the step to start from, for tasks with steps'),
      () => new Option('--override', 'allow a step other than the next one'),
    ],
    run: (task, options) => task.retry(options),
  },
  decide: {
    argument: { name: 'retry|fail', read: oneOf('retry', 'fail') },
    about: 'decide whether undecided tasks are retried or fail',
    run: (task, options, decision: 'retry' | 'fail') => task.decide(decision, options),
  },
  prioritise: {
    argument: { name: 'priority', read: whole },
    about: 'change the priority of waiting tasks; higher runs first',
    run: (task, options, priority: number) => task.prioritise(priority, options),
  },
  reschedule: {
    argument: { name: 'time|now', read: (given) => (given === 'now' ? null : time(given)) },
    about: 'change when tasks are due',
    run: (task, options, due: Date | null) => task.reschedule(due, options),
  },
  amend: {
    argument: { name: 'payload', read: json },
    about: 'replace the payload of tasks that are not running, with JSON',
    run: (task, options, payload: unknown) => task.amend(payload, options),
  },
  annotate: {
    alias: 'data',
    argument: { name: 'data', read: json },
    about: 'change the data of tasks with a JSON object; a member that is null is removed',
    run: (task, options, data: Record<string, unknown>) => task.annotate(data, options),
  },
  signal: {
    argument: { name: 'signal', read: (given) => given },
    about: 'signal tasks whose handlers wait for this, or will',
    options: [() => new Option('--data <json>', 'what the handler gets').argParser(json)],
    run: (task, { data, ...options }, signal: string) => task.signal(signal, data, options),
  },
  arrange: {
    about: 'change what must be done before these tasks may run',
    options: [
      () => new Option('--after <id>', 'a task to wait for; can be repeated').argParser(repeated),
      () => new Option('--after-batch <id>', 'a batch to wait for; can be repeated').argParser(repeated),
      () => new Option('--waive <id>', 'a task or batch to wait for no longer; can be repeated').argParser(repeated),
    ],
    run: (task, { waive = [], reason, ...given }) => task.arrange({ add: prerequisites(given), waive }, { reason }),
  },
  overrule: {
    argument: { name: 'succeed|fail|requeue', read: oneOf('succeed', 'fail', 'requeue') },
    about: 'end running attempts, whatever their workers report',
    needsReason: true,
    options: [
      () => new Option('--result <json>', 'the result of the task, or the details of its error').argParser(json),
    ],
    run: (task, { reason, result }, verdict: 'succeed' | 'fail' | 'requeue') =>
      task.overrule(verdict, reason!, { result }),
  },
  delete: {
    about: 'delete tasks; their history stays',
    options: [() => new Option('--force', 'also delete running tasks')],
    run: (task, options) => task.delete(options),
  },
} satisfies { readonly [V in Verb]?: Step };
