import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { built } from './support/built.js';

/** A Waybill process as anybody would start it: by its environment, on a port of its own. */
export class ServiceProcess {
  readonly ended: Promise<number | null>;
  output = '';
  errors = '';
  private readonly process: ChildProcess;

  constructor(env: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env;
    this.process = spawn(process.execPath, [built('src/main.ts')], { env: { PATH, HOME, PORT: '0', ...env } });
    this.process.stdout!.on('data', (data: Buffer) => (this.output += data.toString()));
    this.process.stderr!.on('data', (data: Buffer) => (this.errors += data.toString()));
    // Not before its last words are read.
    this.ended = once(this.process, 'close').then(([code]) => code as number | null);
    running.add(this);
  }

  /** The first group of the first match in its log. */
  async told(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match[1] ?? match[0];
      if (this.process.exitCode !== null) throw new Error(`Expected ${pattern}, but it ended: ${this.errors}`);
      await Promise.race([once(this.process.stdout!, 'data'), this.ended]);
    }
  }

  url(): Promise<string> {
    return this.told(/Listening on (http:\/\/[\d.:]+)/);
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
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
