/** The copy cannot be made for a reason that a person can put right: one sentence says which. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';

  constructor(expected: string, found: string) {
    super(`Expected ${expected}, but ${found}.`);
  }
}
