import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { built } from './support/built.js';

/** A Waybill process, started by its environment, on its own port. */
export class ServiceProcess {
  readonly ended: Promise<number | null>;
  output = '';
  errors = '';
  private readonly process: ChildProcess;

  /** Defaults to the service of this checkout. Signals reach everything that a `detached` process has started. */
  constructor(
    env: Record<string, string>,
    [program, ...args]: readonly [string, ...string[]] = [process.execPath, built('src/main.ts')],
    private readonly options: SpawnOptions = {},
  ) {
    const { PATH = '', HOME = '' } = process.env;
    this.process = spawn(program, args, { ...options, env: { PATH, HOME, PORT: '0', ...env } });
    this.process.stdout!.on('data', (data: Buffer) => (this.output += data.toString()));
    this.process.stderr!.on('data', (data: Buffer) => (this.errors += data.toString()));
    // Waits until its last lines are read.
    this.ended = once(this.process, 'close').then(([code]) => code as number | null);
    running.add(this);
  }

  /** The first group of the first match in its log. */
  async told(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match[1] ?? match[0];
      if (this.isOver) throw new Error(`Expected ${pattern}, but it ended: ${this.errors}`);
      await Promise.race([once(this.process.stdout!, 'data'), this.ended]);
    }
  }

  url(): Promise<string> {
    return this.told(/Listening on (http:\/\/[\d.:]+)/);
  }

  /** Nobody reads what it says from now on. */
  closePipes(): void {
    this.process.stdout!.destroy();
    this.process.stderr!.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.options.detached) this.process.kill(signal);
    else if (!this.isOver) process.kill(-this.process.pid!, signal);
  }

  get isOver(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }
}

const running = new Set<ServiceProcess>();

/** For `afterEach`: no process outlives its test. */
export async function endServiceProcesses(): Promise<void> {
  for (const service of running) {
    service.kill('SIGKILL');
    await service.ended;
  }
  running.clear();
}
