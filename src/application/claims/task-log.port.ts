import type { LogLine } from '../../domain/kernel/log-line.js';

/** What a handler said since the last report. */
export interface ReportedLines {
  readonly taskId: string;
  /** The fencing number of the claim. */
  readonly token: string;
  readonly lines: readonly LogLine[];
}

/** What handlers say while they run tasks. Rows, not events: a history keeps what happened, not what somebody said of it. */
export abstract class TaskLog {
  /** Keeps each line once, and the last ones of each task. Ignores a task that no longer runs under the token. */
  abstract append(reports: readonly ReportedLines[]): Promise<void>;
}
