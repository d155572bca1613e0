import { Injectable } from '@nestjs/common';
import { roughBytes, STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import { type EventFilter, EventReads, type LogRange, type ShownEvent } from '../kernel/event-store.port.js';

/** The stream that says what happened to the system: when it was drained and resumed. */
export const SYSTEM_HISTORY = DRAIN_STREAM;

/** A part of the history of one thing. */
export interface StreamPage {
  /** The oldest first. */
  readonly events: readonly ShownEvent[];
  /** The position after which others follow; null if none do. */
  readonly next: bigint | null;
}

/** Reads the history of one thing, such as a batch or a trigger, in pages: some have more events than one answer should. */
@Injectable()
export class StreamHistory {
  constructor(private readonly store: EventReads) {}

  /** Up to `limit` events of the stream in a range, as many as have `STEP_BYTES`. Damaged ones are shown as such. */
  async page(
    stream: string,
    range: LogRange,
    limit: number,
    filter: Pick<EventFilter, 'actor' | 'types'>,
  ): Promise<StreamPage> {
    const events: ShownEvent[] = [];
    let [reached, bytes] = [range.after, 0];
    // One more than fits, so that the last page is known to be the last.
    while (reached < range.upTo && events.length <= limit && bytes < STEP_BYTES) {
      const from = { after: reached, upTo: range.upTo };
      const slice = await this.store.scan(from, limit + 1 - events.length, { ...filter, stream });
      events.push(...slice.events);
      bytes += slice.events.reduce((sum, { event }) => sum + roughBytes(event.data), 0);
      ({ reached } = slice);
    }
    if (events.length > limit) return { events: events.slice(0, limit), next: events[limit - 1]!.position };
    return { events, next: reached < range.upTo ? reached : null };
  }
}
