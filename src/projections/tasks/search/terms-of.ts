import type { Pattern, Search, Term, TextField } from '../../../domain/search/term.js';
import type { TaskFilter } from '../task-filter.js';

const SINGLE = ['queue', 'state', 'key', 'reference', 'kind', 'worker', 'step', 'batch', 'group'] as const;

/** What a list asks for, whether as single fields or as a search. An error without a state is that of a task which failed. */
export function termsOf(filter: TaskFilter): Search {
  const single = SINGLE.flatMap((field) => (filter[field] === undefined ? [] : term(field, [filter[field]])));
  const { label, search = [] } = filter;
  const terms = [...single, ...(label ? [labelled(label)] : []), ...search];
  const isOfFailures = terms.some(({ field }) => field === 'error') && !terms.some(({ field }) => field === 'state');
  return isOfFailures ? [...terms, term('state', FAILURES)] : terms;
}

/** The states of tasks with a time of their failure. */
const FAILURES = ['failed', 'undecided'];

/** Whether the list has failed tasks alone, which come in the order of their failures. */
export function isOfFailures(terms: Search): boolean {
  const states = valuesOf(terms, 'state');
  return states !== null && states.includes('failed') && states.every((state) => FAILURES.includes(state));
}

/** The exact values of the first term of the field; null if there is none. */
export function valuesOf(terms: Search, field: TextField): readonly string[] | null {
  const found = terms.find((one) => one.field === field);
  if (!found || 'than' in found || found.values.some(({ isPrefix }) => isPrefix)) return null;
  return found.values.map(({ text }) => text);
}

const NOWHERE = { at: 0, end: 0 };
const exact = (text: string): Pattern => ({ text, isPrefix: false });

const term = (field: TextField, values: readonly string[]): Term => ({ field, values: values.map(exact), ...NOWHERE });

const labelled = ({ name, value }: NonNullable<TaskFilter['label']>): Term => ({
  field: 'label',
  name,
  values: [exact(value)],
  ...NOWHERE,
});
