import type { EventView } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from './answer.js';

/** A page without events tells how far the log was looked through. */
export interface EventPage {
  readonly events: readonly EventView[];
  readonly reached: bigint;
}

/** The next page is read once the last one was used. */
export type EventPages = AsyncIterable<EventPage>;

/** How pages of events are sent over HTTP. */
export interface StreamFormat {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly textOf: (answer: Answer<EventPages>) => AsyncIterable<string>;
}

/** One JSON document per line. A line with only a `position` tells how far the log was looked through. */
export const NDJSON: StreamFormat = {
  contentType: 'application/x-ndjson',
  headers: {},
  textOf: ({ body }) => lines(body),
};

export const SERVER_SENT_EVENTS: StreamFormat = {
  contentType: 'text/event-stream',
  headers: { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  textOf: ({ body, asOf }) => serverSentEvents(body, asOf!),
};

async function* lines(pages: EventPages): AsyncGenerator<string> {
  for await (const { events, reached } of pages)
    yield events.length === 0 ? line({ position: String(reached) }) : events.map(line).join('');
}

const line = (document: object): string => `${JSON.stringify(document)}\n`;

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Server-sent events that a client can resume by position. The first message gives the position at which the stream
 * begins, so a client can resume before it has seen an event. So does every message for an empty page, which repeats it
 * as a comment, because some parsers drop a message without data.
 */
async function* serverSentEvents(pages: EventPages, from: bigint): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${from}\n\n`;
  for await (const { events, reached } of pages)
    yield events.length === 0 ? `: ${reached}\nid: ${reached}\n\n` : events.map(message).join('');
}

const message = (event: EventView): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
