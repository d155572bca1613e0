/** The schema cannot be brought up to date, for a reason that a person can fix. The message names it in one sentence. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
