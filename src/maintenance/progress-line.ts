/** How far long work has come: one line that changes on a terminal, a line every few seconds elsewhere. */
export class ProgressLine {
  private readonly everyMs: number;
  private next = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {
    this.everyMs = stream.isTTY ? 100 : 5_000;
  }

  /** Not shown where another was shown a moment ago, unless it is the last. */
  show(line: string, isLast = false): void {
    if (!isLast && performance.now() < this.next) return;
    this.next = performance.now() + this.everyMs;
    this.stream.write(this.stream.isTTY ? `\r${line}\x1b[K` : `${line}\n`);
  }

  /** Makes room for other lines. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\x1b[K');
  }
}
