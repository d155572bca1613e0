import type { IsoTime } from '../../domain/kernel/json.js';

/** The one clock of the system: the database's, sampled and carried on by the process's monotonic clock. */
export abstract class Clock {
  abstract now(): Date;

  /** The same instant as the deciders take it. */
  iso(): IsoTime {
    return this.now().toISOString();
  }
}
