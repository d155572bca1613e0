import type { BatchTerm } from '../../domain/search/batch-search.js';
import type { Fragment } from '../kernel/fragment.js';
import type { Moment, Past } from '../kernel/past.port.js';
import type { BatchFilter } from './batches.queries.js';
import type { PastBatchRow } from './past-batches.js';
import { batchConditions, namesState } from './search-batches.js';

/** How the batches are found that matched a filter at a moment. */
export interface PastBatchSearch {
  /** The condition on a row `b` of batches, as it is now, of those that may have matched. */
  readonly mayMatch: Fragment;
  /** Whether the batch matched, by its row of then. */
  readonly matched: (row: PastBatchRow) => boolean;
}

/** Throws what `batchConditions` does. */
export async function pastBatchSearch(
  past: Past,
  { state, search = [] }: BatchFilter,
  moment: Moment,
): Promise<PastBatchSearch> {
  const terms = search.map((term) => withInstant(term, moment));
  const [fixed, changing] = [terms.filter((term) => !mayChange(term)), terms.filter(mayChange)];
  const always = await batchConditions(past, fixed, moment);
  const asNow = await batchConditions(past, changing, moment);
  const isListed = (of: string): boolean => (state === null ? namesState(search) || of !== 'deleted' : of === state);
  return {
    mayMatch: (bind) => {
      const listed =
        state === null ? (namesState(search) ? 'true' : `b.state <> 'deleted'`) : `b.state = ${bind(state)}`;
      const same = [listed, ...asNow.map((condition) => condition(bind))].join(' and ');
      const changed = `b.position > ${bind(String(moment.position))}`;
      return [`(${changed} or ${same})`, ...always.map((condition) => condition(bind))].join(' and ');
    },
    matched: (row) => isListed(row.state) && changing.every((term) => matches(row, term)),
  };
}

/** Everything else stands in the first event of a batch. */
const mayChange = ({ field }: BatchTerm): boolean => field === 'state' || field === 'ended';

/** As the conditions say it of rows. The times of the term are instants. */
function matches({ state, ended_at: ended }: PastBatchRow, term: BatchTerm): boolean {
  if (!('than' in term)) return term.values.some(({ text }) => text === state);
  if (ended === null || !('at' in term.than)) return false;
  return term.bound === '>' ? ended >= term.than.at : ended < term.than.at;
}

/** How long ago is counted from the moment. */
function withInstant(term: BatchTerm, { at }: Moment): BatchTerm {
  if (!('than' in term) || 'at' in term.than) return term;
  return { ...term, than: { at: new Date(Date.parse(at) - term.than.ago) } };
}
