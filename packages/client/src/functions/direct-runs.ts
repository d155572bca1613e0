import type { ClaimedTask, Requests } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { currentContext } from '../context.js';
import { startTask } from '../start-task.js';
import { Attempt, type Handler } from '../worker/attempt.js';
import { Heartbeat } from '../worker/heartbeat.js';
import { programBuild, serverName, workerName } from '../worker/identity.js';
import { Stopped } from '../worker/run.js';
import { ProgressReports } from '../worker/progress-reports.js';
import { Settlements } from '../worker/settlements.js';
import type { Verdict } from '../worker/verdicts.js';
import { loggerOf, WorkerEvents } from '../worker/worker-events.js';

type NewRun = Omit<Requests['startTask'], 'worker' | 'server' | 'build'>;

/** A task that runs in this process without waiting for its turn. */
export interface DirectRun {
  readonly id: string;
  /** The function's result once it is recorded. Rejects with the function's error, or with why the run had to stop. */
  readonly result: Promise<unknown>;
}

/** Runs tasks that this process starts itself, with the same leases, heartbeats and reports as a worker. */
export class DirectRuns {
  private readonly caller: Caller;
  private readonly name = workerName();
  private readonly build = programBuild();
  private readonly heartbeat: Heartbeat;
  private readonly settlements: Settlements;
  private readonly reports: ProgressReports;
  private readonly active = new Set<Attempt>();
  private isStopping = false;

  constructor(caller: Caller) {
    const events = new WorkerEvents(loggerOf(console));
    this.caller = caller.as(caller.config.actor === 'anonymous' ? this.name : caller.config.actor);
    this.heartbeat = new Heartbeat(this.caller, events);
    this.settlements = new Settlements(this.caller, events);
    this.reports = new ProgressReports(this.heartbeat, caller.config.clock, events);
  }

  /** Resolves when the task has started. */
  async start(run: NewRun, handler: Handler): Promise<DirectRun> {
    const context = currentContext();
    const claimant = {
      worker: this.name,
      server: serverName(),
      ...(this.build !== undefined && { build: this.build }),
    };
    const body = { ...run, ...claimant, ...(context !== undefined && { context }) };
    const task = await startTask(this.caller, body);
    return { id: task.taskId, result: this.finish(task, handler) };
  }

  private async finish(task: ClaimedTask, handler: Handler): Promise<unknown> {
    const { settlements, reports, caller } = this;
    const errors: unknown[] = [];
    const attempt = new Attempt(task, { settlements, reports, caller, events: eventsInto(errors) });
    let verdict: Verdict | null = null;
    this.enter(attempt);
    try {
      await attempt.work(async (...given) => (verdict = (await handler(...given)) as Verdict));
    } finally {
      this.leave(attempt);
    }
    return resultOf(verdict, errors, attempt);
  }

  private enter(attempt: Attempt): void {
    if (this.active.size === 0) process.on('SIGTERM', this.stop);
    this.active.add(attempt);
    this.heartbeat.add(attempt);
  }

  private leave(attempt: Attempt): void {
    this.heartbeat.remove(attempt);
    this.active.delete(attempt);
    if (this.active.size > 0) return;
    process.off('SIGTERM', this.stop);
    // Without our listener, the signal would have ended the process.
    if (this.isStopping && process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
  }

  private readonly stop = (): void => {
    this.isStopping = true;
    for (const attempt of this.active) attempt.shutDown();
  };
}

/** Collects why a run has no result: its function threw, its lease is lost, or its outcome could not be recorded. */
function eventsInto(errors: unknown[]): WorkerEvents {
  const events = new WorkerEvents(null);
  for (const name of ['failed', 'refused', 'unavailable'] as const) {
    events.on(name, ({ error }) => errors.push(error));
  }
  events.on('lost', ({ task }) => errors.push(new Stopped('lease-lost', task)));
  return events;
}

function resultOf(verdict: Verdict | null, [error]: readonly unknown[], attempt: Attempt): unknown {
  if (error !== undefined) throw error;
  if (verdict?.settlement?.type === 'succeed') return verdict.returned;
  throw attempt.stopReason;
}
