import type { EventView } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from './answer.js';

/** What a stream sends, one message each. */
export interface Streamed {
  readonly position: string;
  readonly type: string;
}

/** A page without events tells how far the log was looked through. */
export interface EventPage<E extends Streamed = EventView> {
  readonly events: readonly E[];
  readonly reached: bigint;
}

/** The next page is read once the last one was used. */
export type EventPages<E extends Streamed = EventView> = AsyncIterable<EventPage<E>>;

/** After so long without an event, a stream tells how far it is. */
export const HEARTBEAT_MS = 15_000;

/** How pages of events are sent over HTTP. */
export interface StreamFormat {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunksOf: (answer: Answer<EventPages<Streamed>>) => AsyncIterable<Buffer>;
}

/** One JSON document per line. A line with only a `position` tells how far the log was looked through. */
export const NDJSON: StreamFormat = {
  contentType: 'application/x-ndjson',
  headers: {},
  chunksOf: ({ body }) => inChunks(body, line, ({ reached }) => line({ position: String(reached) })),
};

export const SERVER_SENT_EVENTS: StreamFormat = {
  contentType: 'text/event-stream',
  headers: { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  chunksOf: ({ body, asOf }) => serverSentEvents(body, asOf!),
};

const line = (document: object): string => `${JSON.stringify(document)}\n`;

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Server-sent events that a client can resume by position. The first message gives the position at which the stream
 * begins, so a client can resume before it has seen an event. So does every message for an empty page, which repeats it
 * as a comment, because some parsers drop a message without data.
 */
async function* serverSentEvents(pages: EventPages<Streamed>, from: bigint): AsyncGenerator<Buffer> {
  yield Buffer.from(`retry: ${RETRY_MS}\nid: ${from}\n\n`);
  yield* inChunks(pages, message, ({ reached }) => `: ${reached}\nid: ${reached}\n\n`);
}

const message = (event: Streamed): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Small texts are sent together, and large ones in parts: a response keeps a few chunks that its client has not taken,
 * and the next page is read only when the rest of this one is gone.
 */
const CHUNK_BYTES = 64 * 1024;

async function* inChunks(
  pages: EventPages<Streamed>,
  textOf: (event: Streamed) => string,
  emptyText: (page: EventPage<Streamed>) => string,
): AsyncGenerator<Buffer> {
  for await (const page of pages) {
    if (page.events.length === 0) yield Buffer.from(emptyText(page));
    else yield* chunksOf(page.events, textOf);
  }
}

/** One text at a time, because those of a whole page would take as much memory as the page. */
function* chunksOf(events: readonly Streamed[], textOf: (event: Streamed) => string): Generator<Buffer> {
  let text = '';
  for (const event of events) {
    text += textOf(event);
    if (text.length < CHUNK_BYTES) continue;
    const bytes = Buffer.from(text);
    text = '';
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  if (text !== '') yield Buffer.from(text);
}
