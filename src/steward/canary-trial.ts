import type { Run, Verdict } from '@waybill/client';
import type { BulkOperation, BulkResult } from '../application/bulk-operations/bulk-operation.js';
import {
  type Canary,
  type CanaryVerdict,
  endsOf,
  verdictAtLast,
  verdictOn,
  whyStopped,
} from '../application/bulk-operations/canary.js';
import type { TaskStatus } from '../domain/task/task.events.js';
import type { Trial } from './bulk-pass.js';

/** The title of the bar for the tasks that are tried. */
const TRIED = 'tried tasks that have ended';

export interface TrialWork {
  /** The states of the tasks, also if the index does not show them yet. */
  statesOf(tasks: readonly string[]): Promise<readonly TaskStatus[]>;
  /** Looks whenever a task may have ended, until the look says that it is over, and at the latest at `endsBy`. */
  watchEnds(isOver: () => Promise<boolean>, endsBy: string, signal: AbortSignal): Promise<void>;
}

/** The canary of one attempt of an operation. Its verdict is recorded with the operation's task, so there is one, however often it is asked for. */
export class CanaryTrial implements Trial {
  readonly first: number;
  readonly withinMs: number;
  private verdict: CanaryVerdict | null;

  constructor(
    private readonly run: Run<BulkOperation>,
    private readonly work: TrialWork,
    private readonly canary: Canary,
  ) {
    this.first = canary.first;
    this.withinMs = canary.withinMs;
    this.verdict = (run.task.data['canary'] as CanaryVerdict | undefined) ?? null;
  }

  async passes(tried: readonly string[], endsBy: string): Promise<boolean> {
    this.verdict ??= await this.decide(tried, endsBy);
    return this.verdict.goesOn;
  }

  /** The end of an operation that stopped; null if it went on. Nothing retries it by itself. */
  stopped(result: BulkResult): Verdict | null {
    const { verdict, canary } = this;
    if (verdict === null || verdict.goesOn) return null;
    return this.run.fail('business', whyStopped(canary, verdict), { final: true, details: { ...result } });
  }

  private async decide(tried: readonly string[], endsBy: string): Promise<CanaryVerdict> {
    let ends = endsOf([]);
    const isOver = async (): Promise<boolean> => {
      ends = endsOf(await this.work.statesOf(tried));
      this.run.progress(TRIED, { end: tried.length, position: tried.length - ends.open });
      return verdictOn(this.canary, ends) !== null;
    };
    await this.work.watchEnds(isOver, endsBy, this.run.signal);
    const verdict = verdictAtLast(this.canary, ends);
    await this.run.record({ canary: { ...verdict } });
    return verdict;
  }
}
