import type { EventView } from '../../projections/tasks/tasks.queries.js';
import type { EventPages } from '../operations/history.operations.js';

/** One JSON document a line. */
export async function* lines(pages: EventPages): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Server-sent events that a client can resume by position, also before it has seen one: the place where it began is told at
 * once. A comment where a page is empty.
 */
export async function* serverSentEvents(pages: EventPages, from: bigint): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${from}\n\n`;
  for await (const page of pages) yield page.length === 0 ? ':\n\n' : page.map(message).join('');
}

const message = (event: EventView): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
