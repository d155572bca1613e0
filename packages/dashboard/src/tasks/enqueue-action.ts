import type { EnqueueOptions } from '@waybill/client';
import type { Action, AskedField, Typed } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { timeText, typedIds, typedJson, typedLabels, typedTime, typedWhole } from '../actions/typed.js';

const QUEUE: AskedField = { name: 'queue', label: 'Queue', placeholder: 'mail' };

const FIELDS: readonly AskedField[] = [
  { name: 'payload', label: 'Payload', kind: 'json', initial: '{}' },
  { name: 'kind', label: 'Kind', isOptional: true },
  { name: 'reference', label: 'Reference, your own name for it', isOptional: true },
  { name: 'key', label: 'Key: of one key, one task runs at a time', isOptional: true },
  { name: 'due', label: 'Due at; at once if empty', isOptional: true, placeholder: '2026-11-23 03:12' },
  { name: 'labels', label: 'Labels', isOptional: true, placeholder: 'collection=maps, type=scan' },
  { name: 'priority', label: 'Priority: higher runs first', kind: 'number', isOptional: true },
  { name: 'deadline', label: 'When it should be done', isOptional: true, placeholder: '2026-11-24 18:00' },
  { name: 'description', label: 'What it is for', isOptional: true },
  { name: 'batch', label: 'Batch that it is part of (id)', isOptional: true },
  { name: 'after', label: 'Tasks that must succeed first (ids)', isOptional: true },
];

/** Makes a task in this queue, or in the one that is typed. */
export const enqueue = (queue?: string): Action => ({
  name: 'Enqueue a task',
  title: queue === undefined ? 'Enqueue a task' : `Enqueue a task in ${queue}`,
  about: 'Makes a task that waits for a worker.',
  permission: 'enqueue',
  takesNoReason: true,
  fields: queue === undefined ? [QUEUE, ...FIELDS] : FIELDS,
  cli: (typed) =>
    [`waybill enqueue ${quoted(queue ?? typed.queue ?? '')} ${quoted(typed.payload ?? '')}`, ...wordsOf(typed)].join(
      ' ',
    ),
  // A request of its own: the client would send others of the same moment with it.
  run: async (waybill, _, typed) =>
    waybill
      .queue(queue ?? typed.queue ?? '')
      .enqueue(typedJson(typed.payload ?? ''), { ...optionsOf(typed), requestId: crypto.randomUUID() }),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
});

function optionsOf({ kind, reference, key, due, labels, ...more }: Typed): EnqueueOptions {
  const { priority, deadline, description, batch, after } = more;
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
  }).flatMap(([name, value]) => (value ? [`--${name} ${quoted(value)}`] : [])),
  ...typedIds(after).map((id) => `--after ${quoted(id)}`),
  ...(labels ? labels.split(',').map((label) => `--label ${quoted(label.trim())}`) : []),
];
