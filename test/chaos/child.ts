import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { built } from '../support/built.js';

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const all = new Set<Child>();

/** A process that runs one of our modules, named by its path from the root, or a file, and the lines that it prints. */
export class Child {
  readonly ended: Promise<End>;
  readonly lines: string[] = [];
  errors = '';
  end: End | null = null;
  private readonly process: ChildProcess;
  private rest = '';

  constructor(module: string, env: Readonly<Record<string, string>>) {
    const { PATH = '', HOME = '' } = process.env;
    this.process = spawn(process.execPath, [isAbsolute(module) ? module : built(module)], {
      env: { PATH, HOME, ...env },
      stdio: 'pipe',
    });
    this.process.stdout!.setEncoding('utf8').on('data', (text: string) => this.hear(text));
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    // Waits until its last lines are read.
    this.ended = once(this.process, 'close').then(([code, signal]) => (this.end = { code, signal } as End));
    all.add(this);
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** The first line that matches, now or in the future. */
  async told(pattern: RegExp, count = 1): Promise<string> {
    for (;;) {
      const found = this.lines.filter((line) => pattern.test(line));
      if (found.length >= count) return found[count - 1]!;
      if (this.end)
        throw new Error(`Expected ${pattern}, but it ended: ${this.lines.slice(-5).join('\n')}\n${this.errors}`);
      await Promise.race([once(this.process.stdout!, 'data'), this.ended]);
    }
  }

  /** Writes a line to its stdin. */
  tell(line: string): void {
    this.process.stdin!.write(`${line}\n`);
  }

  /** Closes its stdin. */
  hangUp(): void {
    this.process.stdin!.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async kill(): Promise<void> {
    if (!this.end) this.signal('SIGKILL');
    await this.ended;
  }

  private hear(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    this.lines.push(...lines);
  }
}

/** For `afterAll`: ends every process that the spec started. */
export async function killAll(): Promise<void> {
  await Promise.all([...all].map((child) => child.kill()));
  all.clear();
}
