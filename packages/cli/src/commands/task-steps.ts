import { type Receipt, type TaskHandle, WaybillError } from '@waybill/client';
import { type Command, Option } from 'commander';
import { json, listed, oneOf, time, whole } from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Open, Session } from '../session.js';
import { tell } from './receipt.js';

/** What an operator can do with tasks: the same with each of those that are named, or piped in. */
export function addTaskSteps(task: Command, open: Open): void {
  for (const { name, argument, about, options = [], run } of STEPS) {
    const step = task.command(name);
    if (argument) step.argument(`<${argument.name}>`, '', argument.read);
    step.argument('<ids...>', "ids, or '-' for those on the standard input").description(about);
    for (const option of options) step.addOption(option());
    step.action(async (...given: [...unknown[], Command]) => {
      const command = given.at(-1) as Command;
      const [value, ids] = argument ? given : [undefined, given[0]];
      await withEach(open(command), ids as string[], (one) => run(one, command.opts<StepOptions>(), value as never));
    });
  }
}

/** One after the other; a refusal of one touches no other, and is told at its place. */
async function withEach(
  { waybill, printer, stdin }: Session,
  ids: readonly string[],
  run: (task: TaskHandle) => Promise<Receipt>,
): Promise<void> {
  const all = await listed(ids, stdin);
  let refused = 0;
  for (const id of all) {
    try {
      await tell(printer, await run(waybill.task(id)));
    } catch (error) {
      if (!(error instanceof WaybillError) || error.status >= 500) throw error;
      refused++;
      printer.note(`✗ ${id}  ${error.code}: ${error.message}`);
    }
  }
  if (refused > 0) throw new NotDone(all.length > 1 ? `${refused} of ${all.length} were refused.` : '');
}

interface StepOptions {
  readonly reason?: string;
  readonly step?: string;
  readonly override?: true;
  readonly force?: true;
}

interface Step {
  readonly name: string;
  /** Said before the ids. */
  readonly argument?: { readonly name: string; readonly read: (given: string) => unknown };
  readonly about: string;
  readonly options?: readonly (() => Option)[];
  readonly run: (task: TaskHandle, options: StepOptions, value: never) => Promise<Receipt>;
}

const reason = (): Option => new Option('--reason <text>', 'why, for the history');
const needed = (): Option => reason().makeOptionMandatory();

const STEPS: readonly Step[] = [
  { name: 'submit', about: 'offer prepared tasks to workers', run: (task) => task.submit() },
  {
    name: 'hold',
    about: 'keep tasks back',
    options: [reason],
    run: (task, { reason: why }) => task.hold({ reason: why }),
  },
  { name: 'release', about: 'let held tasks go', run: (task) => task.release() },
  {
    name: 'retry',
    about: 'put failed or cancelled tasks back to work',
    options: [
      () => new Option('--step <name>', 'where to begin again, in tasks with steps'),
      () => new Option('--override', 'also where that is not the step that is implied'),
    ],
    run: (task, { step, override }) => task.retry({ step, override }),
  },
  {
    name: 'decide',
    argument: { name: 'retry|fail', read: oneOf('retry', 'fail') },
    about: 'decide what becomes of tasks that err',
    options: [reason],
    run: (task, { reason: why }, decision: 'retry' | 'fail') => task.decide(decision, { reason: why }),
  },
  {
    name: 'cancel',
    about: 'stop tasks; they can be retried',
    options: [reason],
    run: (task, { reason: why }) => task.cancel({ reason: why }),
  },
  {
    name: 'abort',
    about: 'stop tasks for good',
    options: [reason],
    run: (task, { reason: why }) => task.abort({ reason: why }),
  },
  {
    name: 'prioritise',
    argument: { name: 'priority', read: whole },
    about: 'change the priority of tasks that wait; higher goes first',
    run: (task, _, priority: number) => task.prioritise(priority),
  },
  {
    name: 'reschedule',
    argument: { name: 'time|now', read: (given) => (given === 'now' ? null : time(given)) },
    about: 'change when tasks are due',
    run: (task, _, due: Date | null) => task.reschedule(due),
  },
  {
    name: 'amend',
    argument: { name: 'payload', read: json },
    about: 'replace the payload of tasks that do not run, by JSON',
    run: (task, _, payload: unknown) => task.amend(payload),
  },
  {
    name: 'overrule',
    argument: { name: 'succeed|fail|requeue', read: oneOf('succeed', 'fail', 'requeue') },
    about: 'end running attempts against their workers',
    options: [needed],
    run: (task, { reason: why }, verdict: 'succeed' | 'fail' | 'requeue') => task.overrule(verdict, why!),
  },
  {
    name: 'delete',
    about: 'delete tasks; their history stays',
    options: [() => new Option('--force', 'running ones, too')],
    run: (task, { force }) => task.delete({ force }),
  },
];
