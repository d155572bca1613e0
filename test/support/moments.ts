import { expect } from '@jest/globals';
import type { EventView, Waybill } from '@waybill/client';

/** What a time means: a position, and another one if the clock was set back. */
export interface Meant {
  readonly position: string;
  readonly alternative: string | null;
}

export const timeOf = ({ recordedAt }: EventView): number => Date.parse(recordedAt);

/** The whole log. */
export async function wholeLog(waybill: Waybill): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for await (const event of waybill.events()) events.push(event);
  return events;
}

/** What a time means, by a look at every event; null if it is before the first one. */
export function meant(time: number, events: readonly EventView[]): Meant | null {
  const later = events.findIndex((event) => timeOf(event) > time);
  const before = later < 0 ? events.at(-1) : events[later - 1];
  const last = events.findLast((event) => timeOf(event) <= time);
  if (!before || !last) return null;
  return { position: before.position, alternative: last.position === before.position ? null : last.position };
}

/** What an answer as of the time says of it; null if the time is refused. */
export async function shown(url: string, time: number): Promise<Meant | null> {
  const answer = await fetch(`${url}/v1/holds?asOf=${new Date(time).toISOString()}`);
  const { asOf } = (await answer.json()) as { readonly asOf?: Meant };
  return asOf ? { position: asOf.position, alternative: asOf.alternative } : null;
}

/**
 * Asks the service for each time around those of the events. Expects what a look at every event finds: nothing recorded later,
 * and never an earlier position than an earlier time. Returns how often it names two positions.
 */
export async function compareMoments(url: string, events: readonly EventView[]): Promise<number> {
  const times = [...new Set(events.flatMap((event) => [timeOf(event) - 1, timeOf(event), timeOf(event) + 1]))];
  let [last, named] = [0n, 0];
  for (const time of times.sort((one, other) => one - other)) {
    const answer = await shown(url, time);
    expect([time, answer]).toEqual([time, meant(time, events)]);
    if (answer === null) continue;
    expect(BigInt(answer.position)).toBeGreaterThanOrEqual(last);
    last = BigInt(answer.position);
    for (const event of events) if (BigInt(event.position) <= last) expect(timeOf(event)).toBeLessThanOrEqual(time);
    if (answer.alternative !== null) named++;
  }
  return named;
}
