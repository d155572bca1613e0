/** Characters of what is there instead. */
const MOST_SHOWN = 60;

/** A text is no search. */
export class SearchError extends Error {
  override readonly name = 'SearchError';

  constructor(
    expected: string,
    /** What is there instead; null if the text ends there. */
    got: string | null,
    /** Where, in UTF-16 units from 0. */
    readonly at: number,
  ) {
    super(
      `Expected ${expected} at character ${at + 1}, but ${got === null ? 'the text ends' : `got '${got.slice(0, MOST_SHOWN)}'`}`,
    );
  }
}
