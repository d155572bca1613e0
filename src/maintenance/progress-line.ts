/** Shows the progress of long work: one line that changes on a terminal, and elsewhere a line every few seconds. */
export class ProgressLine {
  private readonly everyMs: number;
  private next = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {
    this.everyMs = stream.isTTY ? 100 : 5_000;
  }

  /** Skips the line if another one was shown a moment ago, unless this is the last one. */
  show(line: string, isLast = false): void {
    if (!isLast && performance.now() < this.next) return;
    this.next = performance.now() + this.everyMs;
    this.stream.write(this.stream.isTTY ? `\r${line}\x1b[K` : `${line}\n`);
  }

  /** Clears the line, to make room for others. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\x1b[K');
  }
}
