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

/** A document without a type is not an event, but the position up to which the service has looked through the log. */
type Item = EventView | (Pick<EventView, 'position'> & { readonly type?: undefined });

/**
 * The events in the body of a response: server-sent events, or one JSON document per line. Positions between them go to
 * `onPosition`.
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  listener: Listener,
  onPosition: (position: string) => void = () => undefined,
): AsyncGenerator<EventView> {
  const decoder = contentType.includes('event-stream') ? serverSentEvents() : lines();
  for await (const chunk of textOf(body, listener.signal)) {
    listener.heard();
    yield* events(decoder.feed(chunk), onPosition);
    listener.listen();
  }
  yield* events(decoder.end(), onPosition);
}

function* events(items: readonly Item[], onPosition: (position: string) => void): Generator<EventView> {
  for (const item of items) {
    if (item.type === undefined) onPosition(item.position);
    else yield item;
  }
}

interface Decoder {
  feed(chunk: string): Item[];
  /** What remains when the stream has ended. */
  end(): Item[];
}

/** The parser keeps the id of a message without data to itself, so the service repeats it in a comment. */
const POSITION = /^\d+$/;

function serverSentEvents(): Decoder {
  let items: Item[] = [];
  const parser = createParser({
    onEvent: ({ data }) => items.push(JSON.parse(data) as EventView),
    onComment: (text) => POSITION.test(text) && items.push({ position: text }),
  });
  const feed = (chunk: string): Item[] => {
    items = [];
    parser.feed(chunk);
    return items;
  };
  return { feed, end: () => [] };
}

function lines(): Decoder {
  let rest = '';
  const feed = (chunk: string): Item[] => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop()!;
    return parts.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Item);
  };
  return { feed, end: () => feed('\n') };
}
