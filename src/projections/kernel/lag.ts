import type { EventLog } from './event-log.port.js';

/** How far a follower at some position is behind the log. */
export interface Lag {
  /** Null if the store's positions do not count events. */
  readonly lagEvents: number | null;
  /** Seconds since the oldest unread event was recorded; 0 only if there is none. */
  readonly lagSeconds: number;
}

/** The end of the log, and the time at which it was read. */
export interface LogEnd {
  readonly head: bigint;
  /** By the database's clock, like the events' times. */
  readonly nowMs: number;
}

/** SQL for the current time in milliseconds. */
export const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** The lag at each position. Looks each distinct position up once. */
export async function lagsAt(
  log: EventLog,
  positions: readonly bigint[],
  end: LogEnd,
): Promise<ReadonlyMap<bigint, Lag>> {
  const lags = [...new Set(positions)].map(async (position) => [position, await lagAt(log, position, end)] as const);
  return new Map(await Promise.all(lags));
}

async function lagAt(log: EventLog, position: bigint, { head, nowMs }: LogEnd): Promise<Lag> {
  const lagEvents = log.countBetween(position, head);
  if (position >= head) return { lagEvents, lagSeconds: 0 };
  const [next] = await log.readAll(position, 1);
  const waited = next ? Math.round(nowMs - Date.parse(next.recordedAt)) : 0;
  return { lagEvents, lagSeconds: Math.max(1, waited) / 1_000 };
}
