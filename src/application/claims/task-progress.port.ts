import type { ProgressBar } from '../../domain/kernel/progress-bar.js';

/** The bars of an attempt, in order. They replace what was reported of the task before. */
export interface ReportedProgress {
  readonly taskId: string;
  /** The fencing number of the claim. */
  readonly token: string;
  readonly bars: readonly ProgressBar[];
}

/** How far tasks are, as their workers last reported. Rows, not events: a history keeps what happened, not how far it is. */
export abstract class TaskProgress {
  /** Ignores a task that no longer runs under the token. */
  abstract record(reports: readonly ReportedProgress[]): Promise<void>;
}
