import type { IsoTime } from '../../domain/kernel/json.js';

/** The clock of the whole system: the database's time, sampled and carried on by the process's monotonic clock. */
export abstract class Clock {
  abstract now(): Date;

  /** The current time in the form that deciders take. */
  iso(): IsoTime {
    return this.now().toISOString();
  }
}
