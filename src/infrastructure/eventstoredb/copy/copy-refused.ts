/** The copy cannot be made for a reason that a person can fix. The message names it in one sentence. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';

  constructor(expected: string, found: string) {
    super(`Expected ${expected}, but ${found}.`);
  }
}
