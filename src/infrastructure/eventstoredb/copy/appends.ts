import type { StoredEvent } from '../log/stored-event.js';

/**
 * The appends that a page of a log came from: neighbours of one stream that were recorded at the same time, for the same
 * reason. What was stored as one is to be applied as one. A claim is always one by itself.
 */
export function appendsOf(events: readonly StoredEvent[]): StoredEvent[][] {
  const appends: StoredEvent[][] = [];
  for (const event of events) {
    const open = appends.at(-1);
    if (open && belongTogether(open.at(-1)!, event)) open.push(event);
    else appends.push([event]);
  }
  return appends;
}

/** The last append of a full page may continue in the next one. */
export const wholeAppendsOf = (page: readonly StoredEvent[], limit: number): StoredEvent[][] => {
  const appends = appendsOf(page);
  return page.length < limit || appends.length === 1 ? appends : appends.slice(0, -1);
};

function belongTogether(before: StoredEvent, event: StoredEvent): boolean {
  const alone = [before, event].some(({ type }) => type === 'TaskClaimed');
  const next = event.stream === before.stream && event.position === before.position + 1n;
  return !alone && next && event.recordedAt === before.recordedAt && sameCause(before, event);
}

const sameCause = (a: StoredEvent, b: StoredEvent): boolean =>
  a.envelope.correlationId === b.envelope.correlationId &&
  a.envelope.causationId === b.envelope.causationId &&
  a.envelope.actor === b.envelope.actor;
