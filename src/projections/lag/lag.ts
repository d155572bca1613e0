import type { EventLog } from '../kernel/event-log.port.js';

/** How far behind the log somebody is who has read it up to a position. */
export interface Lag {
  /** Null where events cannot be counted by their positions. */
  readonly lagEvents: number | null;
  /** Since the oldest event that he has not read was recorded; 0 only when there is none. */
  readonly lagSeconds: number;
}

/** The log's end, and when it was looked at. */
export interface LogEnd {
  readonly head: bigint;
  /** By the database's clock, as the events' times are. */
  readonly nowMs: number;
}

/** SQL of the time, in milliseconds. */
export const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** At each of the positions, once for those that are the same. */
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
