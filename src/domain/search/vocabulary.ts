import type { Since } from '../kernel/since.js';

/** What can be searched of one kind of thing. */
export interface Vocabulary<Text extends string, Named extends string, Time extends string> {
  /** Fields whose values are compared as text. */
  readonly texts: readonly Text[];
  /** Fields with a name of their own behind a dot, such as `label.customer`. */
  readonly named: readonly Named[];
  /** `since:` and `until:` are about the first one. */
  readonly times: readonly [Time, ...Time[]];
  /** In these, a `*` at the end of a value stands for any rest. */
  readonly prefixed: ReadonlySet<string>;
  /** What must stand in the place of a value; null if the field takes it. */
  readonly expected: (field: Text | Named, value: string) => string | null;
}

export interface Pattern {
  readonly text: string;
  /** Whether it is the beginning of the text alone. */
  readonly isPrefix: boolean;
}

/** Where a term is in its text, in UTF-16 units: from `at` up to, but without, `end`. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

export interface TimeBound<Time extends string = string> {
  readonly field: Time;
  readonly bound: '>' | '<';
  readonly than: Since;
}

/** One of the values must be that of the field. */
export type TermOf<Text extends string, Named extends string, Time extends string> = Span &
  (
    | { readonly field: Text | 'word'; readonly values: readonly Pattern[] }
    | { readonly field: Named; readonly name: string; readonly values: readonly Pattern[] }
    | TimeBound<Time>
  );
