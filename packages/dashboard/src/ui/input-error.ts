/** What somebody typed cannot be used. Its message says what was expected. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
