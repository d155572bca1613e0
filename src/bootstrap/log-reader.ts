/** What a shell says of a program whose reader has gone. */
const SIGPIPE = 141;

/**
 * Whoever reads what a program says may go away (`waybill up | head`). The error of the pipe would end the process at once, and the
 * Postgres that it has started would go on. With this, a service stops in order, and other programs finish their work.
 */
export class LogReader {
  private isGone = false;
  private tell: (() => void) | null = null;

  constructor() {
    for (const stream of [process.stdout, process.stderr]) {
      // The command line has a listener that exits.
      stream.removeAllListeners('error');
      stream.on('error', () => this.gone());
    }
  }

  /** Called at once if it has gone before. */
  onGone(tell: () => void): void {
    this.tell = tell;
    if (this.isGone) tell();
  }

  /** Ends the process if something was said that nobody has read. For programs that have done their work. */
  exitIfGone(): void {
    if (this.isGone) process.exit(SIGPIPE);
  }

  private gone(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.tell?.();
  }
}
