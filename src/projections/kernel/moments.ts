import { BeforeTheLog, type Moment, type Past } from './past.port.js';

/** Two moments, the earlier one first. */
export interface TwoMoments {
  readonly since: Moment;
  readonly until: Moment;
}

/** As of a time, also of one before the first event. Throws `NoSuchMoment` of the future, or `HistoryNotReady`. */
export async function momentAt(past: Past, at: Date): Promise<Moment> {
  try {
    return await past.momentOf({ at });
  } catch (error) {
    if (!(error instanceof BeforeTheLog)) throw error;
    return { position: 0n, at: at.toISOString(), alternative: null, settled: true };
  }
}
