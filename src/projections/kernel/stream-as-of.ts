import type { Recorded } from './event-log.port.js';
import { type Moment, NotThereThen, type Past } from './past.port.js';

/** The events of a stream at the moment, at least one. Throws `NotThereThen`. */
export async function streamAsOf(past: Past, stream: string, { position }: Moment): Promise<readonly Recorded[]> {
  const [events] = await past.historiesAt([stream], position);
  if (events!.length === 0) throw new NotThereThen(await past.beginningOf(stream));
  return events!;
}

/** What a fold takes. */
export const eventsIn = <E>(history: readonly Recorded[]): readonly E[] => history.map(({ event }) => event as E);
