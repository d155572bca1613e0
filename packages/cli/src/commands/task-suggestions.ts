import type { SuggestionList } from '@waybill/client';
import type { Session } from '../session.js';
import type { Column } from '../terminal/table.js';

interface Suggested {
  /** The search, as it may go on. */
  readonly search: string;
  readonly about: string | null;
}

const COLUMNS: readonly Column<Suggested>[] = [
  { title: 'search', of: ({ search }) => search },
  { title: 'about', of: ({ about }) => about?.split('\n', 1)[0] ?? '' },
];

/** Says how a search may go on that is written so far. */
export async function suggest(search: string, { waybill, printer }: Session): Promise<void> {
  const suggestions = await waybill.tasks.suggestions(search);
  await printer.list(searchesOf(search, suggestions), COLUMNS, 'Nothing is known that the search may go on with.');
}

const searchesOf = (search: string, { at, items }: SuggestionList): readonly Suggested[] =>
  items.map(({ text, about }) => ({ search: search.slice(0, at) + text, about }));
