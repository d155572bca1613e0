import type { Recorded } from './event-log.port.js';
import { type AsOf, type EventsAsked, type Moment, Past, type SomeEvents } from './past.port.js';

/** The past up to a position, in which each stream is read once: for questions about many moments of a few streams. */
export class ReadOnce extends Past {
  private readonly known = new Map<string, Promise<readonly Recorded[]>>();

  constructor(
    private readonly past: Past,
    private readonly upTo: bigint,
  ) {
    super();
  }

  momentOf(asked: AsOf): Promise<Moment> {
    return this.past.momentOf(asked);
  }

  now(): Promise<Moment> {
    return this.past.now();
  }

  canBeginAt(position: bigint): Promise<boolean> {
    return this.past.canBeginAt(position);
  }

  beginningOf(stream: string): Promise<Recorded | null> {
    return this.past.beginningOf(stream);
  }

  eventsOf(asked: EventsAsked): Promise<SomeEvents> {
    return this.past.eventsOf(asked);
  }

  /** No further than the end of what is read. */
  async historiesAt(streams: readonly string[], position: bigint): Promise<readonly (readonly Recorded[])[]> {
    this.read([...new Set(streams)].filter((stream) => !this.known.has(stream)));
    const histories = await Promise.all(streams.map((stream) => this.known.get(stream)!));
    return histories.map((history) => history.filter((event) => event.position <= position));
  }

  private read(streams: readonly string[]): void {
    if (streams.length === 0) return;
    const reading = this.past.historiesAt(streams, this.upTo);
    for (const [at, stream] of streams.entries())
      this.known.set(
        stream,
        reading.then((histories) => histories[at]!),
      );
  }
}
