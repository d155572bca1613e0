import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DemoError } from './options.js';
import type { Service } from './service.js';

const programAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The worker processes that catalogue files, and those for the other queues. */
export const ARCHIVIST = { title: 'archivist', program: programAt('../archive-ingest/worker.js') };
export const CLERK = { title: 'clerk', program: programAt('clerk.js') };

/** What the processes of one kind run. */
export interface WorkerKind {
  readonly title: string;
  readonly program: string;
  /** Besides the URL of the service and the name. */
  readonly args?: readonly string[];
}

/** Worker processes of one kind, as seen by the process that forked them. */
export class WorkerProcesses {
  private stopping = false;

  private constructor(
    readonly processes: readonly { readonly name: string; readonly child: ChildProcess }[],
    private readonly logFile: string,
  ) {}

  /** Forks `count` processes of a kind. Resolves when all of them claim. */
  static async start(
    { title, program, args = [] }: WorkerKind,
    count: number,
    { url, databaseUrl, logFile }: Service,
  ): Promise<WorkerProcesses> {
    const log = openSync(logFile, 'a');
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    const processes = Array.from({ length: count }, (_, index) => {
      const name = `${title}-${index + 1}`;
      const child = fork(program, ['--url', url, '--name', name, ...args], { env, stdio: ['ignore', log, log, 'ipc'] });
      return { name, child };
    });
    closeSync(log);
    const workers = new WorkerProcesses(processes, logFile);
    await Promise.race([Promise.all(processes.map(({ child }) => once(child, 'message'))), workers.failure()]);
    return workers;
  }

  /** Rejects when a process ends without having been told to. */
  failure(): Promise<never> {
    return new Promise((_, reject) => {
      for (const { name, child } of this.processes) {
        child.once('exit', (code, signal) => {
          if (this.stopping) return;
          const end = signal ? `signal ${signal} ended it` : `it ended with code ${code}`;
          reject(new DemoError(`Expected worker '${name}' to keep running, but ${end}; see '${this.logFile}'.`));
        });
      }
    });
  }

  /** The most memory that each process has used so far. */
  async peakBytes(): Promise<number[]> {
    return await Promise.all(
      this.processes.map(async ({ child }) => {
        const answer = once(child, 'message');
        child.send('memory');
        const [{ peakBytes }] = (await answer) as [{ peakBytes: number }];
        return peakBytes;
      }),
    );
  }

  /** Lets them return their tasks. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(
      this.processes.map(async ({ child }) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }),
    );
  }
}
