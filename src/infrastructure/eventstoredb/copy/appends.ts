import type { StoredEvent } from '../log/stored-event.js';

/**
 * Groups a part of the log into the appends that stored it: neighbouring events of one stream, recorded at the same
 * time with the same cause. The target must apply together what the source stored together. A claim is always an append
 * by itself.
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

function belongTogether(before: StoredEvent, event: StoredEvent): boolean {
  const alone = [before, event].some(({ type }) => type === 'TaskClaimed');
  const next = event.stream === before.stream && event.position === before.position + 1n;
  return !alone && next && event.recordedAt === before.recordedAt && sameCause(before, event);
}

const sameCause = (a: StoredEvent, b: StoredEvent): boolean =>
  a.envelope.correlationId === b.envelope.correlationId &&
  a.envelope.causationId === b.envelope.causationId &&
  a.envelope.actor === b.envelope.actor;
