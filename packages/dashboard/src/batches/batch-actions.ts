import type { BatchHandle, BatchView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedLabels, typedWhole } from '../actions/typed.js';

interface Step extends Pick<Action, 'name' | 'kind' | 'isRare' | 'about' | 'goesTo'> {
  readonly command: BatchView['commands'][number];
  readonly verb: string;
  readonly run: (batch: BatchHandle, reason: string | undefined) => Promise<unknown>;
}

const STEPS: readonly Step[] = [
  {
    name: 'Release',
    kind: 'primary',
    command: 'ReleaseBatch',
    verb: 'release',
    about: 'The task that plans the batch may run, unless a hold still catches it.',
    run: (batch, reason) => batch.release({ reason }),
  },
  {
    name: 'Report',
    command: 'RequestReport',
    verb: 'report',
    about: 'Reports what has changed since the last report. If nothing has, nothing is sent.',
    run: (batch, reason) => batch.report({ reason }),
  },
  {
    name: 'Run again',
    command: 'RerunBatch',
    verb: 'rerun',
    about: 'Another batch runs the failed tasks again.',
    run: (batch, reason) => batch.rerun({ reason }),
    goesTo: (made) => `/batches/${(made as BatchHandle).id}`,
  },
  {
    name: 'Abort',
    kind: 'danger',
    isRare: true,
    command: 'AbortBatch',
    verb: 'abort',
    about: 'All its tasks that have not succeeded end at once, and can never be retried.',
    run: (batch, reason) => batch.abort({ reason }),
  },
  {
    name: 'Delete',
    kind: 'danger',
    isRare: true,
    command: 'DeleteBatch',
    verb: 'delete',
    about: 'Deletes the batch and all its tasks that have not succeeded, also running ones. Their histories stay.',
    run: (batch, reason) => batch.delete({ reason }),
  },
];

/** What the batch takes now. One that no task plans is opened by hand. */
export const commandsOn = (batch: Pick<BatchView, 'id' | 'commands' | 'phase' | 'planner' | 'total'>): Action[] =>
  batch.phase === 'planning' && batch.planner === null ? [open(batch), ...stepsOf(batch)] : stepsOf(batch);

/** Says how many tasks it should have, so that it is not opened with fewer. */
const open = ({ id, total }: Pick<BatchView, 'id' | 'total'>): Action => ({
  name: 'Open',
  kind: 'primary',
  permission: 'enqueue',
  about: 'Its tasks may run, and no more can be added. Refused if it has another number of tasks.',
  fields: [{ name: 'tasks', label: 'How many tasks it has', kind: 'number', initial: String(total) }],
  cli: ({ tasks }) => `waybill batch open ${id} ${tasks}`,
  run: async (waybill, reason, { tasks = '' }) => waybill.batch(id).open(typedWhole(tasks), { reason }),
});

/** Makes a batch without tasks, which are added to it and then let go together. */
export const CREATE: Action = {
  name: 'New batch',
  title: 'New batch',
  permission: 'enqueue',
  about: 'Makes a batch. Tasks that are enqueued with its id wait until it is opened.',
  fields: [
    { name: 'batch', label: 'Name', placeholder: 'nightly import' },
    { name: 'description', label: 'What it is for', isOptional: true },
    { name: 'labels', label: 'Labels', isOptional: true, placeholder: 'run=7, source=archive' },
  ],
  cli: ({ batch = '', description, labels }) =>
    [
      `waybill batch create ${quoted(batch)}`,
      ...(description ? [`--description ${quoted(description)}`] : []),
      ...(labels ? labels.split(',').map((label) => `--label ${quoted(label.trim())}`) : []),
    ].join(' '),
  run: async (waybill, reason, { batch = '', description, labels }) =>
    waybill.createBatch(
      { name: batch, description: description || undefined, labels: labels ? typedLabels(labels) : undefined },
      { reason },
    ),
  goesTo: (made) => `/batches/${(made as BatchHandle).id}`,
};

const stepsOf = ({ id, commands }: Pick<BatchView, 'id' | 'commands'>): Action[] =>
  STEPS.filter(({ command }) => commands.includes(command)).map(({ verb, run, ...step }) => ({
    ...step,
    cli: `waybill batch ${verb} ${id}`,
    run: (waybill, reason) => run(waybill.batch(id), reason),
  }));
