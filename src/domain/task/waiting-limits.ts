import { type IsoTime, LATEST_TIME } from '../kernel/json.js';

/** The times that a submission, or its queue, sets a task that waits. At most one of `expiresAt` and `ttlMs`. */
export interface WaitingLimits {
  readonly expiresAt?: IsoTime;
  readonly ttlMs?: number;
  readonly deadlineAt?: IsoTime;
}

/** When a time to live is over. It counts from when a worker may take the task. */
export function endOfLife(ttlMs: number, dueAt: IsoTime | null, now: IsoTime): IsoTime {
  const from = Math.max(Date.parse(now), dueAt === null ? 0 : Date.parse(dueAt));
  return new Date(Math.min(from + ttlMs, LATEST_TIME)).toISOString();
}
