/** Characters of what is there instead. */
const MOST_SHOWN = 80;

/** A text is not what it should be: a note, a seal, a key or a proof; or a signature in it is wrong. */
export class SealError extends Error {
  override readonly name = 'SealError';

  constructor(expected: string, got: string) {
    super(`Expected ${expected}, but got '${got.slice(0, MOST_SHOWN)}'`);
  }
}
