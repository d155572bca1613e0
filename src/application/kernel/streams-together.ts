import type { EventStore, RecordedEvent } from './event-store.port.js';
import { SharedCall } from './shared-call.js';
import { readEach, UnreadableStream } from './unreadable-stream.js';

type Found = ReadonlyMap<string, readonly RecordedEvent[] | UnreadableStream>;

/** Reads the streams that are asked for in one turn, or while others are read, with one statement. */
export class StreamsTogether {
  private readonly asked = new Set<string>();
  private readonly reading = new SharedCall(() => this.readAsked());

  constructor(private readonly store: Pick<EventStore, 'readStreams'>) {}

  /** The events of the stream, as of a moment after this call. Throws `UnreadableStream`, and that of no other stream. */
  async read(stream: string): Promise<readonly RecordedEvent[]> {
    this.asked.add(stream);
    const found = (await this.reading.ask()).get(stream)!;
    if (found instanceof UnreadableStream) throw found;
    return found;
  }

  private async readAsked(): Promise<Found> {
    const streams = [...this.asked];
    this.asked.clear();
    const read = (some: readonly string[]) => this.store.readStreams(some);
    const histories = await readEach(streams, read, (history) => history);
    return new Map(streams.map((stream, at) => [stream, histories[at]!]));
  }
}
