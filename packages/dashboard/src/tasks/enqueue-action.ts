import type { EnqueueOptions, QueueView, WorkerLabels } from '@waybill/client';
import type { Action, AskedField, Typed } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import {
  timeText,
  typedIds,
  typedJson,
  typedLabels,
  typedTime,
  typedWhole,
  typedWorkerLabels,
} from '../actions/typed.js';

/** What the dialog looks at of the queue on whose page it is. */
type Queue = Pick<QueueView, 'name'> & {
  readonly policy: Pick<QueueView['policy'], 'duplicatePending' | 'gather' | 'needs'>;
};

const QUEUE: AskedField = { name: 'queue', label: 'Queue', placeholder: 'mail' };

const FIELDS: readonly AskedField[] = [
  { name: 'payload', label: 'Payload', kind: 'json', initial: '{}' },
  { name: 'kind', label: 'Kind', isOptional: true },
  { name: 'reference', label: 'Reference, your own name for it', isOptional: true },
  { name: 'key', label: 'Key: of one key, one task runs at a time', isOptional: true },
  { name: 'due', label: 'Due at; at once if empty', isOptional: true, placeholder: '2026-11-23 03:12' },
];

const RARE: readonly AskedField[] = [
  { name: 'labels', label: 'Labels', placeholder: 'collection=maps, type=scan' },
  { name: 'priority', label: 'Priority: higher runs first', kind: 'number' },
  { name: 'deadline', label: 'When it should be done', placeholder: '2026-11-24 18:00' },
  { name: 'description', label: 'What it is for' },
  { name: 'batch', label: 'Batch that it is part of (id)' },
  { name: 'after', label: 'Tasks that must succeed first (ids)' },
].map((field) => ({ ...field, isOptional: true, isRare: true }) as AskedField);

/** Of a queue that gathers, and of any queue if none is known yet. A key says what is gathered. */
const gatherFields = (gather?: QueueView['policy']['gather']): AskedField[] => [
  secondsField('gatherQuiet', 'Gathers others of its key until none has come for so many seconds', gather?.quietMs),
  secondsField('gatherMax', 'Gathers them for so many seconds at most', gather?.maxMs),
];

/** What the policy says stands in the empty field. Rare if it says nothing. */
const secondsField = (name: string, label: string, policyMs?: number): AskedField => ({
  name,
  label,
  kind: 'number',
  isOptional: true,
  isRare: policyMs === undefined,
  placeholder: policyMs === undefined ? undefined : String(policyMs / 1_000),
});

/** Of a queue that looks at needs: empty are those that its policy says. */
const needsField = (needs: WorkerLabels = {}): AskedField => ({
  name: 'needs',
  label: 'What its worker must offer',
  isOptional: true,
  placeholder: pairText(needs) || 'gpu=true, site=paris',
});

function fieldsOf(queue: Queue | undefined): AskedField[] {
  if (queue === undefined) return [QUEUE, ...FIELDS, ...RARE, ...gatherFields(), { ...needsField(), isRare: true }];
  const { duplicatePending, gather, needs } = queue.policy;
  return [
    ...FIELDS,
    ...(duplicatePending === 'gather' ? gatherFields(gather) : []),
    ...(needs ? [needsField(needs)] : []),
    ...RARE,
  ];
}

/** Makes a task in this queue, with what its policy lets a task say, or in the one that is typed. */
export const enqueue = (queue?: Queue): Action => ({
  name: 'Enqueue a task',
  title: queue === undefined ? 'Enqueue a task' : `Enqueue a task in ${queue.name}`,
  about: 'Makes a task that waits for a worker.',
  permission: 'enqueue',
  takesNoReason: true,
  fields: fieldsOf(queue),
  cli: (typed) =>
    [
      `waybill enqueue ${quoted(queue?.name ?? typed.queue ?? '')} ${quoted(typed.payload ?? '')}`,
      ...wordsOf(typed),
    ].join(' '),
  // A request of its own: the client would send others of the same moment with it.
  run: async (waybill, _, typed) =>
    waybill
      .queue(queue?.name ?? typed.queue ?? '')
      .enqueue(typedJson(typed.payload ?? ''), { ...optionsOf(typed), requestId: crypto.randomUUID() }),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
});

function optionsOf({ kind, reference, key, due, labels, ...more }: Typed): EnqueueOptions {
  const { priority, deadline, description, batch, after, needs } = more;
  return {
    ...(kind && { kind }),
    ...(reference && { reference }),
    ...(key && { key }),
    ...(due && { dueAt: typedTime(due) ?? undefined }),
    ...(labels && { labels: typedLabels(labels) }),
    ...(priority && { priority: typedWhole(priority) }),
    ...(deadline && { deadlineAt: typedTime(deadline) ?? undefined }),
    ...(description && { description }),
    ...(batch && { batch }),
    ...(after && { after: typedIds(after).map((id) => ({ task: id })) }),
    ...(needs && { needs: typedWorkerLabels(needs) }),
    ...gatherOf(more),
  };
}

function gatherOf({ gatherQuiet, gatherMax }: Typed): Pick<EnqueueOptions, 'gather'> {
  if (!gatherQuiet && !gatherMax) return {};
  return {
    gather: {
      ...(gatherQuiet && { quietMs: typedWhole(gatherQuiet) * 1_000 }),
      ...(gatherMax && { maxMs: typedWhole(gatherMax) * 1_000 }),
    },
  };
}

const wordsOf = ({
  due,
  deadline,
  labels,
  after,
  kind,
  reference,
  key,
  priority,
  description,
  batch,
  gatherQuiet,
  gatherMax,
  needs,
}: Typed): string[] => [
  ...Object.entries({
    kind,
    reference,
    key,
    due: due && timeText(due),
    priority,
    deadline: deadline && timeText(deadline),
    description,
    batch,
    'gather-quiet': gatherQuiet,
    'gather-max': gatherMax,
  }).flatMap(([name, value]) => (value ? [`--${name} ${quoted(value)}`] : [])),
  ...typedIds(after).map((id) => `--after ${quoted(id)}`),
  ...pairsOf(labels).map((label) => `--label ${quoted(label)}`),
  ...pairsOf(needs).map((need) => `--need ${quoted(need)}`),
];

const pairText = (labels: WorkerLabels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

const pairsOf = (typed: string | undefined): string[] => (typed ? typed.split(',').map((pair) => pair.trim()) : []);
