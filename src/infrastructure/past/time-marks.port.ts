import type { Stretch } from './log-times.port.js';

/** A stretch with the position after which it begins. */
export interface MarkedStretch extends Stretch {
  readonly after: bigint;
}

/** The stretches of the log whose times are kept, so that a process need not read them again. */
export abstract class TimeMarks {
  /** The stretches that follow on one another from this position on, the first ones. */
  abstract from(after: bigint): Promise<readonly MarkedStretch[]>;
  /** Does nothing if another process has kept a stretch that begins there. */
  abstract add(stretch: MarkedStretch): Promise<void>;
}
