/** What was typed cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command came to an end, and not to the one that was asked for. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}
