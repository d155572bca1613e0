import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { parseSearch } from '../../../domain/search/parse-search.js';
import { SearchError } from '../../../domain/search/search-error.js';
import { NAMED_FIELDS, TEXT_FIELDS } from '../../../domain/search/term.js';
import { type Unfinished, unfinishedIn, writtenValue } from '../../../domain/search/unfinished.js';
import { valuesOf } from '../search/terms-of.js';
import { KnownValues } from './known-values.js';

export interface Suggestions {
  /** Where the suggestions stand in the search, in UTF-16 units: each in the place of what follows. */
  readonly at: number;
  readonly items: readonly Suggestion[];
}

export interface Suggestion {
  /** A field with its colon, the beginning of one with its dot, or a value in its quotes. */
  readonly text: string;
  /** What it stands for, for people; null if the text says it. */
  readonly about: string | null;
}

/** Suggests how a search goes on: up to 20 texts. `covered`: what may be named of queues; null: all but those of the service itself. */
export class SuggestTerms extends Query<Suggestions> {
  constructor(
    readonly search: string,
    readonly covered: ReadonlySet<string> | null,
  ) {
    super();
  }
}

const MOST = 20;

@QueryHandler(SuggestTerms)
export class SuggestTermsHandler implements IQueryHandler<SuggestTerms> {
  constructor(private readonly known: KnownValues) {}

  async execute({ search, covered }: SuggestTerms): Promise<Suggestions> {
    const unfinished = unfinishedIn(search);
    if (unfinished === null) return { at: search.length, items: [] };
    const queues = queuesFor(unfinished, covered);
    const { is, text, at } = unfinished;
    const items = is === 'field' ? await this.fields(text, queues) : await this.values(unfinished, queues);
    return { at, items: items.slice(0, MOST) };
  }

  /** Names of labels and paths of payloads come once their field is written. */
  private async fields(text: string, queues: Queues): Promise<readonly Suggestion[]> {
    const field = NAMED_FIELDS.find((name) => text.startsWith(`${name}.`));
    if (field === undefined) return FIELDS.filter((name) => name.startsWith(text.toLowerCase())).map(bare);
    const names = await this.known.namesOf(field, { text: text.slice(field.length + 1), queues });
    // What no search can write as the name of a field is left out.
    return names.map((name) => bare(`${field}.${name.text}:`)).filter(isField);
  }

  private async values({ field, text }: Pick<UnfinishedValue, 'field' | 'text'>, queues: Queues) {
    const found = await this.known.valuesOf(field, { text, queues });
    return found.map(({ text: value, about = null }) => ({ text: writtenValue(value), about }));
  }
}

/** Null: all but those of the service itself. */
type Queues = readonly string[] | null;
type UnfinishedValue = Extract<Unfinished, { readonly is: 'value' }>;

const TIMES = ['since:', 'until:', 'ended>', 'ended<'] as const;

/** In the order of the reference. */
const FIELDS: readonly string[] = [
  ...TEXT_FIELDS.map((field) => `${field}:`),
  ...NAMED_FIELDS.map((field) => `${field}.`),
  ...TIMES,
];

/** Whether a search that has the text goes on with a value of this field. */
function isField({ text }: Suggestion): boolean {
  const read = unfinishedIn(text);
  return read?.is === 'value' && text === `${read.field}:`;
}

const bare = (text: string): Suggestion => ({ text, about: null });

/** The queues that the terms before name, as far as they may be named. What is no search yet names none. */
function queuesFor({ before }: Unfinished, covered: ReadonlySet<string> | null): Queues {
  const named = namedIn(before);
  if (named === null) return covered && [...covered];
  return covered === null ? named : named.filter((queue) => covered.has(queue));
}

function namedIn(search: string): readonly string[] | null {
  try {
    return valuesOf(parseSearch(search), 'queue');
  } catch (error) {
    if (error instanceof SearchError) return null;
    throw error;
  }
}
