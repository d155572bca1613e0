import type { EventView } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from './answer.js';

/** Pages of events. An empty page is a heartbeat. The next page is read once the last one was used. */
export type EventPages = AsyncIterable<readonly EventView[]>;

/** How pages of events are sent over HTTP. */
export interface StreamFormat {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly textOf: (answer: Answer<EventPages>) => AsyncIterable<string>;
}

/** One JSON document per line. */
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
  for await (const page of pages) yield page.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Server-sent events that a client can resume by position. The first message gives the position at which the stream
 * begins, so a client can resume before it has seen an event. An empty page becomes a comment.
 */
async function* serverSentEvents(pages: EventPages, from: bigint): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${from}\n\n`;
  for await (const page of pages) yield page.length === 0 ? ':\n\n' : page.map(message).join('');
}

const message = (event: EventView): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
