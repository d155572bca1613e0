/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command ended, but without the requested result. */
export class NotDone extends Error {
  override readonly name = 'NotDone';

  constructor(
    message: string,
    /** The exit code of the process. */
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
