import type { EventView } from '@waybill/contracts';
import { createParser } from 'eventsource-parser';
import { textOf } from './body.js';

/** Learns whether the stream is alive. */
interface Listener {
  /** Ends the reading. */
  readonly signal: AbortSignal;
  listen(): void;
  heard(): void;
}

/** The events in the body of a response: server-sent events, or one JSON document per line. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  listener: Listener,
): AsyncGenerator<EventView> {
  const decoder = contentType.includes('event-stream') ? serverSentEvents() : lines();
  for await (const chunk of textOf(body, listener.signal)) {
    listener.heard();
    yield* decoder.feed(chunk);
    listener.listen();
  }
  yield* decoder.end();
}

interface Decoder {
  feed(chunk: string): EventView[];
  /** The events that remain when the stream has ended. */
  end(): EventView[];
}

function serverSentEvents(): Decoder {
  let events: EventView[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data) as EventView) });
  const feed = (chunk: string): EventView[] => {
    events = [];
    parser.feed(chunk);
    return events;
  };
  return { feed, end: () => [] };
}

function lines(): Decoder {
  let rest = '';
  const feed = (chunk: string): EventView[] => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop()!;
    return parts.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as EventView);
  };
  return { feed, end: () => feed('\n') };
}
