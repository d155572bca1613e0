import type { Moment } from './past.port.js';

/** The groups of failures in which tasks had failed last. */
export abstract class FailedThen {
  /** The ids of the tasks of some groups, in no order. Throws `TooMuchToFold` and `HistoryNotReady`. */
  abstract inGroups(groups: readonly string[], moment: Moment): Promise<readonly string[]>;
}
