import type { ErasureSubject } from '@waybill/client';
import type { Action, Typed } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedLabels } from '../actions/typed.js';
import { plural } from '../ui/numbers.js';

const AGED = 'that ended longer ago than';

/** Takes away what tasks were about, such as when a customer asks for it. */
export const ERASE: Action = {
  name: 'Erase',
  title: 'Erase what tasks were about',
  kind: 'danger',
  isRare: true,
  needsReason: true,
  permission: 'erase',
  about:
    'Payloads, results, data, errors, keys, references and labels of the tasks are gone for good; what happened stays. The reason is never erased: name no person in it.',
  fields: [
    { name: 'by', label: 'The tasks', kind: 'choice', choices: ['with a label', 'of a key', 'with an id', AGED] },
    { name: 'subject', label: 'The label (name=value), key, id or age (90d)', placeholder: 'customer=4711' },
    { name: 'queueOfKey', label: 'Queue of the key, or of the ended tasks', isOptional: true, placeholder: 'mail' },
    { name: 'open', label: 'Tasks that have not ended', kind: 'choice', choices: ['stay', 'are aborted first'] },
  ],
  cli: (typed) => `waybill ${wordsOf(typed)}${isAborting(typed) ? ' --abort-open' : ''}`,
  preview: async (waybill, typed) => {
    const { tasks, open = 0, outbox = 0 } = await waybill.erase(subjectOf(typed), 'preview', { preview: true });
    const rows = outbox === 0 ? '' : ` Also ${plural(outbox, 'refused row')} of the outbox.`;
    return `${plural(tasks, 'task')}, of which ${open} have not ended, or failed and have a key.${rows}`;
  },
  run: async (waybill, reason, typed) =>
    waybill.erase(subjectOf(typed), reason ?? '', isAborting(typed) ? { abortOpen: true } : {}),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
};

/** What ended is not aborted. */
const isAborting = ({ by, open }: Typed): boolean => by !== AGED && open === 'are aborted first';

function subjectOf({ by, subject = '', queueOfKey = '' }: Typed): ErasureSubject {
  if (by === 'of a key') return { queue: queueOfKey, key: subject };
  if (by === AGED) return { queue: queueOfKey, endedBefore: subject };
  if (by === 'with an id') return { task: subject };
  const [name, value] = Object.entries(typedLabels(subject))[0]!;
  return { label: { name, value } };
}

function wordsOf({ by, subject = '', queueOfKey = '' }: Typed): string {
  if (by === AGED) return `purge --queue ${quoted(queueOfKey)} --older-than ${quoted(subject)}`;
  if (by === 'of a key') return `erase --queue ${quoted(queueOfKey)} --key ${quoted(subject)}`;
  return `erase ${by === 'with an id' ? '--task' : '--label'} ${quoted(subject)}`;
}
