/** The log is not what was signed, and what came after it. */
export class LogLost extends Error {
  override readonly name = 'LogLost';

  constructor(
    message: string,
    /** What was signed last, as a signed note. */
    readonly seal: string,
  ) {
    super(message);
  }
}
