/** What of a list is selected: single rows, or all that match the filter, also those that are not shown. */
export type Selection = { readonly isAll: true } | { readonly isAll: false; readonly ids: ReadonlySet<string> };

/** The most single tasks that one operation of the service takes. */
export const MOST_SINGLE = 500;

export const NOTHING: Selection = { isAll: false, ids: new Set() };

export const EVERYTHING: Selection = { isAll: true };

export const isSelected = (selection: Selection, id: string): boolean => selection.isAll || selection.ids.has(id);

/** The selected ones of the rows that are shown: nobody should change what they do not see, unless they said all. */
export const shownOf = (selection: Selection, shown: readonly string[]): readonly string[] =>
  shown.filter((id) => isSelected(selection, id));

/** Selects or deselects one row. If all rows were selected, the others that are shown stay selected. */
export function toggled(selection: Selection, id: string, shown: readonly string[]): Selection {
  const ids = new Set(shownOf(selection, shown));
  if (!ids.delete(id)) ids.add(id);
  return some(ids);
}

/** Selects all rows, or none if all are selected. */
export const toggledAll = (selection: Selection, shown: readonly string[]): Selection =>
  shownOf(selection, shown).length === Math.min(shown.length, MOST_SINGLE) ? NOTHING : some(shown);

const some = (ids: Iterable<string>): Selection => ({ isAll: false, ids: new Set([...ids].slice(0, MOST_SINGLE)) });
