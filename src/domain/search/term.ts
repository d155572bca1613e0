import { isUuid } from '../kernel/patterns.js';
import { LONGEST_TERM } from './payload-terms.js';
import { TASK_STATUSES, type TaskStatus } from '../task/task.events.js';
import type { TermOf, Vocabulary } from './vocabulary.js';

export type { Pattern } from './vocabulary.js';

export const TEXT_FIELDS = [
  'id',
  'queue',
  'state',
  'kind',
  'key',
  'reference',
  'batch',
  'worker',
  'step',
  'actor',
  'build',
  'error',
  'group',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** That of a payload is a path: `payload.order.id`. */
export const NAMED_FIELDS = ['label', 'payload'] as const;
export type NamedField = (typeof NAMED_FIELDS)[number];

/** The times of a task: when it was enqueued, and when it ended, also by a failure. */
export const TIMES = ['enqueued', 'ended'] as const;
export type TaskTime = (typeof TIMES)[number];

export const PREFIXED: ReadonlySet<string> = new Set<TextField>(['key', 'reference', 'kind', 'worker']);

export const TASK_VOCABULARY: Vocabulary<TextField, NamedField, TaskTime> = {
  texts: TEXT_FIELDS,
  named: NAMED_FIELDS,
  times: TIMES,
  prefixed: PREFIXED,
  expected: (field, value) => {
    if (field === 'state' && !TASK_STATUSES.includes(value as TaskStatus))
      return `one of the states ${TASK_STATUSES.join(', ')}`;
    if (field === 'id' && !isIdOrTail(value)) return 'an id in lower case, or its last 8 characters,';
    if (field === 'batch' && !isUuid(value)) return 'the id of a batch in lower case';
    return field === 'payload' && value.length > LONGEST_TERM ? `at most ${LONGEST_TERM} characters` : null;
  },
};

const TAIL = /^[0-9a-f]{8}$/;

export const isIdOrTail = (text: string): boolean => isUuid(text) || TAIL.test(text);

/** A word must be in the reference, the key, the description or the error. */
export type Term = TermOf<TextField, NamedField, TaskTime>;

/** A task must match all of them. */
export type Search = readonly Term[];
