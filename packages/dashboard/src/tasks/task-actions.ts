import type { Receipt, TaskDetails, TaskExplanation, TaskHandle } from '@waybill/client';
import type { Action, Typed } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { timeText, typedIds, typedJson, typedObject, typedTime, typedWhole } from '../actions/typed.js';

interface Step extends Pick<Action, 'name' | 'kind' | 'isRare' | 'about' | 'needsReason' | 'permission'> {
  /** The command that the service must allow for the action to be offered. */
  readonly command: TaskExplanation['allowed'][number];
  /** What a terminal gets before the id. */
  readonly verb: string | ((typed: Typed) => string);
  readonly fields?: (task: TaskDetails) => NonNullable<Action['fields']>;
  readonly run: (task: TaskHandle, reason: string | undefined, typed: Typed) => Promise<Receipt>;
}

const STEPS: readonly Step[] = [
  {
    name: 'Submit',
    kind: 'primary',
    about: 'The task is complete, and waits for a worker.',
    command: 'SubmitTask',
    permission: 'enqueue',
    verb: 'submit',
    run: (task, reason) => task.submit({ reason }),
  },
  {
    name: 'Retry',
    kind: 'primary',
    about: 'The task waits for a worker again.',
    command: 'RetryTask',
    verb: 'retry',
    run: (task, reason) => task.retry({ reason }),
  },
  {
    name: 'Decide: retry',
    kind: 'primary',
    about: 'The task is undecided. This decision retries it.',
    command: 'DecideRetry',
    verb: 'decide retry',
    run: (task, reason) => task.decide('retry', { reason }),
  },
  {
    name: 'Decide: fail',
    about: 'The task is undecided. This decision fails it for good.',
    command: 'DecideFail',
    verb: 'decide fail',
    run: (task, reason) => task.decide('fail', { reason }),
  },
  {
    name: 'Hold',
    about: 'The task does not run until somebody releases it. If it is running, its worker is told to stop first.',
    command: 'HoldTask',
    verb: 'hold',
    run: (task, reason) => task.hold({ reason }),
  },
  {
    name: 'Release',
    kind: 'primary',
    about: 'The task waits for a worker again.',
    command: 'ReleaseTask',
    verb: 'release',
    run: (task, reason) => task.release({ reason }),
  },
  {
    name: 'Cancel',
    about: 'The task ends and can be retried later. If it is running, its worker is told to stop.',
    command: 'CancelTask',
    verb: 'cancel',
    run: (task, reason) => task.cancel({ reason }),
  },
  {
    name: 'Prioritise',
    isRare: true,
    about: 'Tasks of a higher priority run first.',
    command: 'ReprioritiseTask',
    fields: ({ priority }) => [{ name: 'priority', label: 'Priority', kind: 'number', initial: String(priority) }],
    verb: ({ priority }) => `prioritise ${priority}`,
    run: (task, reason, { priority = '' }) => task.prioritise(typedWhole(priority), { reason }),
  },
  {
    name: 'Reschedule',
    isRare: true,
    about: 'Changes when the task is due.',
    command: 'RescheduleTask',
    fields: ({ dueAt }) => [
      { name: 'due', label: "Due at, or 'now'", initial: dueAt ?? 'now', placeholder: '2026-11-23 03:12' },
    ],
    verb: ({ due = '' }) => `reschedule ${quoted(timeText(due))}`,
    run: (task, reason, { due = '' }) => task.reschedule(typedTime(due), { reason }),
  },
  {
    name: 'Amend payload',
    isRare: true,
    about: 'Replaces what the task carries.',
    command: 'AmendPayload',
    fields: ({ payload, payloadOutside }) => [
      // The page does not have a payload that is outside the log: null would replace it unseen.
      {
        name: 'payload',
        label: 'Payload',
        kind: 'json',
        initial: payloadOutside ? '' : JSON.stringify(payload ?? null, null, 2),
      },
    ],
    verb: ({ payload = '' }) => `amend ${quoted(payload)}`,
    run: (task, reason, { payload = '' }) => task.amend(typedJson(payload), { reason }),
  },
  {
    name: 'Change data',
    isRare: true,
    about: 'Changes what attempts recorded for one another. A member that is null is removed.',
    command: 'AmendData',
    fields: ({ data }) => [{ name: 'data', label: 'Data', kind: 'json', initial: JSON.stringify(data, null, 2) }],
    verb: ({ data = '' }) => `annotate ${quoted(data)}`,
    run: (task, reason, { data = '' }) => task.annotate(typedObject(data), { reason }),
  },
  {
    name: 'Change what it waits for',
    isRare: true,
    about: 'The task waits also for these tasks, or no longer for those.',
    command: 'ChangePrerequisites',
    fields: () => [
      { name: 'add', label: 'Wait for tasks (ids)', isOptional: true },
      { name: 'batches', label: 'Wait for batches (ids)', isOptional: true },
      { name: 'waive', label: 'No longer for tasks or batches (ids)', isOptional: true },
    ],
    verb: ({ add, batches, waive }) =>
      [
        'arrange',
        ...typedIds(add).map((id) => `--after ${quoted(id)}`),
        ...typedIds(batches).map((id) => `--after-batch ${quoted(id)}`),
        ...typedIds(waive).map((id) => `--waive ${quoted(id)}`),
      ].join(' '),
    run: (task, reason, { add, batches, waive }) => {
      const added = [...typedIds(add).map((id) => ({ task: id })), ...typedIds(batches).map((id) => ({ batch: id }))];
      return task.arrange({ add: added, waive: typedIds(waive) }, { reason });
    },
  },
  {
    name: 'Overrule',
    isRare: true,
    needsReason: true,
    about: 'Ends the attempt that runs, whatever its worker reports later.',
    command: 'OverruleTask',
    fields: () => [
      { name: 'verdict', label: 'It', kind: 'choice', choices: ['succeed', 'fail', 'requeue'] },
      { name: 'result', label: 'Result, or details of the error', kind: 'json', isOptional: true },
    ],
    verb: ({ verdict, result }) => `overrule ${verdict}${result ? ` --result ${quoted(result)}` : ''}`,
    run: (task, reason, { verdict, result }) =>
      task.overrule(
        verdict as 'succeed' | 'fail' | 'requeue',
        reason ?? '',
        result ? { result: typedJson(result) } : {},
      ),
  },
  {
    name: 'Abort',
    kind: 'danger',
    isRare: true,
    about: 'The task ends at once and can never be retried.',
    command: 'AbortTask',
    verb: 'abort',
    run: (task, reason) => task.abort({ reason }),
  },
  {
    name: 'Delete',
    kind: 'danger',
    isRare: true,
    about: 'The task leaves every list. Its history stays.',
    command: 'DeleteTask',
    verb: 'delete',
    run: (task, reason) => task.delete({ reason }),
  },
];

/** A worker is at it, which would report later on what is gone. */
const deleteByForce = (id: string): Action => ({
  name: 'Delete by force',
  title: 'Delete a running task by force',
  kind: 'danger',
  isRare: true,
  about: 'The task leaves every list although a worker is at it, whose report is refused. Its history stays.',
  cli: `waybill task delete --force ${id}`,
  run: (waybill, reason) => waybill.task(id).delete({ force: true, reason }),
});

/** Any step of those that the task has; another than the next one is an exception that the history names. */
const retryFrom = (id: string, steps: readonly string[]): Action => ({
  name: 'Retry from a step',
  title: 'Retry the task from a step',
  isRare: true,
  about: 'The task waits for a worker again, at the step that you choose. What earlier steps left stays.',
  fields: [
    { name: 'step', label: 'Step', kind: 'choice', choices: steps },
    { name: 'override', label: 'Although it is not the next one', kind: 'choice', choices: ['no', 'yes'] },
  ],
  cli: ({ step = '', override }) =>
    `waybill task retry ${id} --step ${quoted(step)}${override === 'yes' ? ' --override' : ''}`,
  run: (waybill, reason, { step, override }) =>
    waybill.task(id).retry({ step, override: override === 'yes' || undefined, reason }),
});

/** A run of its own, of a task that has ended. */
const runAgain = (id: string): Action => ({
  name: 'Run again',
  isRare: true,
  needsReason: true,
  about: 'A new task does the same once more. This one stays as it is.',
  fields: [
    { name: 'newPayload', label: 'Another payload', kind: 'json', isOptional: true },
    { name: 'fromStep', label: 'Step to begin at', isOptional: true },
    { name: 'newQueue', label: 'Another queue', isOptional: true },
  ],
  cli: ({ newPayload, fromStep, newQueue }) =>
    [
      'waybill task run-again',
      ...(newPayload ? [`--payload ${quoted(newPayload)}`] : []),
      ...(fromStep ? [`--from-step ${quoted(fromStep)}`] : []),
      ...(newQueue ? [`--queue ${quoted(newQueue)}`] : []),
      id,
    ].join(' '),
  run: (waybill, reason, { newPayload, fromStep, newQueue }) =>
    waybill.task(id).runAgain(reason ?? '', {
      ...(newPayload && { payload: typedJson(newPayload) }),
      ...(fromStep && { fromStep }),
      ...(newQueue && { queue: newQueue }),
    }),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
});

/** What the handler of the task waits for, or will. It is the first thing to do while it waits. */
function signal(id: string, waitsFor: string | undefined): Action {
  return {
    name: 'Signal',
    ...(waitsFor === undefined ? { isRare: true } : { kind: 'primary' }),
    about:
      'The handler of the task goes on with the data if it waits for the signal. Otherwise the signal is kept until it asks.',
    fields: [
      { name: 'signal', label: 'Signal', initial: waitsFor, placeholder: 'approved' },
      { name: 'data', label: 'Data', kind: 'json', isOptional: true },
    ],
    cli: ({ signal: name = '', data }) =>
      `waybill task signal ${quoted(name)}${data ? ` --data ${quoted(data)}` : ''} ${id}`,
    run: (waybill, reason, { signal: name = '', data }) =>
      waybill.task(id).signal(name, data ? typedJson(data) : undefined, { reason }),
  };
}

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'aborted', 'superseded']);

/** What the service allows for the task. It deletes a running task only by force. */
export function commandsOn(
  task: TaskDetails,
  { state, allowed, reasons = [] }: Pick<TaskExplanation, 'state' | 'allowed'> & Partial<TaskExplanation>,
): Action[] {
  const { id } = task;
  const { signal: waitsFor } = reasons.find(({ because }) => because === 'signal') ?? {};
  const offered = STEPS.filter(
    ({ command }) => allowed.includes(command) && !(command === 'DeleteTask' && state === 'running'),
  );
  return [
    ...(allowed.includes('SignalTask') ? [signal(id, waitsFor)] : []),
    ...offered.map(({ verb, run, fields, ...step }): Action => ({
      ...step,
      fields: fields?.(task),
      cli: (typed) => `waybill task ${typeof verb === 'string' ? verb : verb(typed)} ${id}`,
      run: (waybill, reason, typed) => run(waybill.task(id), reason, typed),
    })),
    ...(task.steps.length > 0 && allowed.includes('RetryTask') ? [retryFrom(id, task.steps)] : []),
    ...(state === 'running' && allowed.includes('DeleteTask') ? [deleteByForce(id)] : []),
    ...(ENDED.has(state) && !reasons.some(({ erased }) => erased) ? [runAgain(id)] : []),
  ];
}
