import type { ErasureSubject } from '@waybill/client';
import type { Action, Typed } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedLabels } from '../actions/typed.js';
import { plural } from '../ui/numbers.js';

/** Takes away what tasks were about, such as when a customer asks for it. */
export const ERASE: Action = {
  name: 'Erase',
  title: 'Erase what tasks were about',
  kind: 'danger',
  isRare: true,
  needsReason: true,
  permission: 'erase',
  about:
    'Payloads, results, data, errors, keys, references and labels of the tasks are gone for good, with a label also names, descriptions and labels of batches; what happened stays. The reason is never erased: name no person in it.',
  fields: [
    { name: 'by', label: 'The tasks', kind: 'choice', choices: ['with a label', 'of a key', 'with an id'] },
    { name: 'subject', label: 'The label (name=value), key or id', placeholder: 'customer=4711' },
    { name: 'queueOfKey', label: 'Queue of the key', isOptional: true, placeholder: 'mail' },
    { name: 'open', label: 'Tasks that have not ended', kind: 'choice', choices: ['stay', 'are aborted first'] },
  ],
  cli: (typed) => `waybill erase ${wordsOf(typed)}${isAborting(typed) ? ' --abort-open' : ''}`,
  preview: async (waybill, typed) => {
    const found = await waybill.erase(subjectOf(typed), 'preview', { preview: true });
    const { tasks, batches = 0, open = 0, outbox = 0 } = found;
    const what =
      batches === 0 ? plural(tasks, 'task') : `${plural(tasks, 'task')} and ${plural(batches, 'batch', 'batches')}`;
    const rows = outbox === 0 ? '' : ` Also ${plural(outbox, 'refused row')} of the outbox.`;
    return `${what}, of which ${open} have not ended, or failed and have a key.${rows}`;
  },
  run: async (waybill, reason, typed) =>
    waybill.erase(subjectOf(typed), reason ?? '', isAborting(typed) ? { abortOpen: true } : {}),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
};

/** Forgets by age, because the log is never shortened. */
export const PURGE: Action = {
  name: 'Purge',
  title: 'Erase what old tasks were about',
  kind: 'danger',
  isRare: true,
  needsReason: true,
  permission: 'erase',
  about:
    'What tasks of the queue were about that ended longer ago is gone for good; what happened stays. Failed tasks with a key stay as they are, and what a legal hold covers.',
  fields: [
    { name: 'queue', label: 'Queue', placeholder: 'mail' },
    { name: 'olderThan', label: 'Ended longer ago than', placeholder: '90d' },
  ],
  cli: ({ queue = '', olderThan = '' }) => `waybill purge --queue ${quoted(queue)} --older-than ${quoted(olderThan)}`,
  preview: async (waybill, typed) => {
    const { tasks } = await waybill.erase(agedOf(typed), 'preview', { preview: true });
    return `${plural(tasks, 'task')}.`;
  },
  run: async (waybill, reason, typed) => waybill.erase(agedOf(typed), reason ?? ''),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
};

const agedOf = ({ queue = '', olderThan = '' }: Typed): ErasureSubject => ({ queue, endedBefore: olderThan });

const isAborting = ({ open }: Typed): boolean => open === 'are aborted first';

function subjectOf({ by, subject = '', queueOfKey = '' }: Typed): ErasureSubject {
  if (by === 'of a key') return { queue: queueOfKey, key: subject };
  if (by === 'with an id') return { task: subject };
  const [name, value] = Object.entries(typedLabels(subject))[0]!;
  return { label: { name, value } };
}

function wordsOf({ by, subject = '', queueOfKey = '' }: Typed): string {
  if (by === 'of a key') return `--queue ${quoted(queueOfKey)} --key ${quoted(subject)}`;
  return `${by === 'with an id' ? '--task' : '--label'} ${quoted(subject)}`;
}
