const SORTS = ['task', 'queue', 'batch', 'failure', 'operation', 'trigger'] as const;

/** A page of one thing. What people call it is asked for when it is shown, so that no name of anything erased stays in the browser. */
export interface Visit {
  readonly sort: (typeof SORTS)[number];
  readonly id: string;
}

/** As the palette's entry for it has. */
export const keyOf = ({ sort, id }: Visit): string => `${sort} ${id}`;

const MOST = 20;

/** With the visit first, and none of its page before. */
export const withVisit = (visits: readonly Visit[], visit: Visit): Visit[] =>
  [visit, ...visits.filter((one) => keyOf(one) !== keyOf(visit))].slice(0, MOST);

/** What the text keeps of the person. Something else may have written it. */
export function visitsIn(text: string, person: string): Visit[] {
  try {
    const { of, visits } = JSON.parse(text) as { readonly of: unknown; readonly visits: readonly Visit[] };
    return of === person ? visits.filter((visit) => SORTS.includes(visit.sort) && typeof visit.id === 'string') : [];
  } catch {
    return [];
  }
}
