import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import { searchIn } from './search.js';
import type { TaskFilter } from '../../projections/tasks/tasks.queries.js';

type RequestedFilter = Omit<TaskFilter, 'label' | 'decidedSince' | 'decidedUntil' | 'search'> & {
  /** A search, in its text. */
  readonly q?: string;
  readonly label?: string;
  readonly decidedSince?: string;
  readonly decidedUntil?: string;
};

/** A filter of tasks from its request, where a label is `name:value`. `searched`: where its search is. Throws `InvalidInput`. */
export function filterOf(
  { q, label, decidedSince, decidedUntil, ...filter }: RequestedFilter,
  searched = '#/query/q',
): TaskFilter {
  const isRanged = decidedSince !== undefined || decidedUntil !== undefined;
  if (isRanged && filter.policyVersion === undefined) throw lacking('policyVersion', 'decidedSince and decidedUntil');
  if (filter.policyVersion !== undefined && filter.queue === undefined) throw lacking('queue', 'policyVersion');
  return {
    ...filter,
    ...(q !== undefined && { search: searchIn(q, searched) }),
    ...(label !== undefined && { label: labelIn(label) }),
    ...(decidedSince !== undefined && { decidedSince: sinceOf(decidedSince) }),
    ...(decidedUntil !== undefined && { decidedUntil: sinceOf(decidedUntil) }),
  };
}

const lacking = (name: string, others: string): InvalidInput =>
  new InvalidInput([{ pointer: `#/query/${name}`, detail: `Expected ${name} beside ${others}, but there is none` }]);

/** The name ends at the first colon. */
function labelIn(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), value: text.slice(colon + 1) };
}
