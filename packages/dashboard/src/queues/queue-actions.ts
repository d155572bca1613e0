import type { QueueView } from '@waybill/client';
import { type Action, operationPage } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { timeText, typedObject, typedTime } from '../actions/typed.js';
import { enqueue } from '../tasks/enqueue-action.js';
import { plural } from '../ui/numbers.js';
import { setLimit } from './limit-actions.js';

type Queue = Pick<QueueView, 'name' | 'state' | 'intake'> & {
  readonly policy: Pick<QueueView['policy'], 'perLabel' | 'duplicatePending' | 'gather' | 'needs'>;
};

/** What can be done to the queue now: the likely first. */
export const commandsOn = (view: Queue): Action[] => [
  ...(view.intake.open && view.state !== 'finished' ? [enqueue(view)] : []),
  pauseOrResume(view),
  intake(view),
  finishOrReopen(view),
  setLimit(view.name, view.policy.perLabel?.label),
  ...deletionsOf(view.name),
];

const pauseOrResume = ({ name, state }: Queue): Action =>
  state === 'paused'
    ? {
        name: 'Resume',
        kind: 'primary',
        about: 'Workers can claim its tasks again.',
        cli: `waybill queue resume ${name}`,
        run: (waybill, reason) => waybill.queue(name).resume({ reason }),
      }
    : {
        name: 'Pause',
        about:
          'Workers can claim no tasks until somebody resumes the queue. Running tasks continue, and the queue still accepts tasks.',
        fields: [
          { name: 'until', label: 'Until, if it resumes by itself', isOptional: true, placeholder: '2026-11-23 07:00' },
        ],
        cli: ({ until }) => `waybill queue pause ${name}${until ? ` --until ${quoted(timeText(until))}` : ''}`,
        run: (waybill, reason, { until }) =>
          waybill.queue(name).pause({ reason, until: until ? (typedTime(until) ?? undefined) : undefined }),
      };

const intake = ({ name, intake: { open } }: Queue): Action =>
  open
    ? {
        name: 'Close intake',
        about: 'The queue accepts no more tasks. Workers continue with the existing ones.',
        cli: `waybill queue close-intake ${name}`,
        run: (waybill, reason) => waybill.queue(name).closeIntake({ reason }),
      }
    : {
        name: 'Open intake',
        about: 'The queue accepts tasks again.',
        cli: `waybill queue open-intake ${name}`,
        run: (waybill, reason) => waybill.queue(name).openIntake({ reason }),
      };

const finishOrReopen = ({ name, state }: Queue): Action =>
  state === 'finished'
    ? {
        name: 'Reopen',
        isRare: true,
        about: 'Those that wait for the queue wait again until it is finished.',
        cli: `waybill queue reopen ${name}`,
        run: (waybill, reason) => waybill.queue(name).reopen({ reason }),
      }
    : {
        name: 'Finish',
        isRare: true,
        about:
          'Says that the queue has done its work: queues that wait for it begin. All of its tasks must have ended.',
        cli: `waybill queue finish ${name}`,
        run: (waybill, reason) => waybill.queue(name).finish({ reason }),
      };

/** Both are operations, which go on by themselves. */
const DELETIONS = [
  {
    name: 'Delete',
    running: 'finish',
    option: '',
    about:
      'Closes the intake, gives out nothing more, waits until the running tasks have ended, and deletes the queue with all of its tasks. Their histories stay.',
  },
  {
    name: 'Stop and delete',
    running: 'cancel',
    option: ' --cancel',
    about:
      'Closes the intake, gives out nothing more, tells workers to stop the running tasks, and deletes the queue with all of its tasks. Their histories stay.',
  },
] as const;

const deletionsOf = (name: string): Action[] =>
  DELETIONS.map(({ running, option, ...action }) => ({
    ...action,
    kind: 'danger',
    isRare: true,
    cli: `waybill queue delete ${name} --with-tasks${option}`,
    preview: async (waybill) => {
      const { count, running: run = 0 } = await waybill.queue(name).deleteWithTasks({ preview: true });
      return `${plural(count, 'task')}, of which ${run === 1 ? '1 runs' : `${run} run`}.`;
    },
    run: (waybill, reason) => waybill.queue(name).deleteWithTasks({ running, reason }),
    goesTo: operationPage,
  }));

/** Makes a queue with a policy that is said as JSON. */
export const DEFINE: Action = {
  name: 'New queue',
  about: 'Makes a queue. What its policy leaves out takes its default.',
  fields: [
    { name: 'queue', label: 'Name', placeholder: 'mail' },
    { name: 'description', label: 'What it is for', isOptional: true },
    { name: 'policy', label: 'Policy', kind: 'json', initial: '{}' },
    { name: 'preset', label: 'Preset for what the policy leaves out', isOptional: true, placeholder: 'console' },
  ],
  cli: ({ queue = '', description, policy = '', preset }) =>
    [
      `waybill queue define ${quoted(queue)} --policy ${quoted(policy)}`,
      ...(preset ? [`--preset ${quoted(preset)}`] : []),
      ...(description ? [`--description ${quoted(description)}`] : []),
    ].join(' '),
  run: (waybill, reason, { queue = '', description, policy = '', preset }) =>
    waybill
      .queue(queue)
      .define(typedObject(policy), { reason, description: description || undefined, preset: preset || undefined }),
};
