import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { BATCH_CATEGORY } from '../../../src/domain/batch/batch.stream.js';
import { categoryOf } from '../../../src/domain/aggregates.js';
import { EVENTS, eventsWith } from '../../../src/domain/events.js';
import { QUEUE_CATEGORY } from '../../../src/domain/queue/queue.stream.js';
import { wholeAppends } from '../../../src/infrastructure/eventstoredb/reservations/apply-request.js';
import { isIndexed } from '../../../src/infrastructure/eventstoredb/reservations/index-revisions.js';
import { type FollowedLog, type Index, openFollowedLog } from '../../support/eventstoredb/followed-log.js';
import { fromEventStoreDb, type StoredLine } from '../../support/eventstoredb/stored-line.js';

const GOLDEN = join(__dirname, '../../golden');
const NAMES = readdirSync(GOLDEN, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

const eventsOf = (log: string): RecordedEvent[] =>
  readFileSync(join(GOLDEN, log, 'eventstoredb.ndjson'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => fromEventStoreDb(JSON.parse(line) as StoredLine))
    .map((event, at, all) => (isOneAppend(event, all[at + 1]) ? { ...event, more: true } : event));

/** The golden logs do not say which events were appended together: a task that returns and fails at once takes no place of its key. */
const isOneAppend = (one: RecordedEvent, next: RecordedEvent | undefined): boolean =>
  next !== undefined &&
  next.stream === one.stream &&
  next.recordedAt === one.recordedAt &&
  next.envelope.correlationId === one.envelope.correlationId;

const FENCES = eventsWith('fills-abandoned-place');

/** What rests on these is appended only once the index has them: the reservations see to it. */
const isAwaited = ([{ stream, revision }]: Append): boolean =>
  categoryOf(stream) === BATCH_CATEGORY || (categoryOf(stream) === QUEUE_CATEGORY && revision === 0);

type Append = readonly [RecordedEvent, ...RecordedEvent[]];

/** The first append that has an event of the type, for each type of which the index keeps something. A fence changes nothing. */
function appendsByType(events: readonly RecordedEvent[]): ReadonlyMap<string, Append> {
  const types = new Map<string, Append>();
  for (const append of wholeAppends(events) as unknown as readonly Append[])
    for (const { event, stream } of append)
      if (isIndexed(stream) && !FENCES.has(event.type) && !types.has(event.type)) types.set(event.type, append);
  return types;
}

const seen = new Set<string>();

/** Each type of event in the first log that has it. */
const LOGS = NAMES.map((name) => {
  const events = eventsOf(name);
  const types = [...appendsByType(events)].filter(([type]) => !seen.has(type));
  for (const [type] of types) seen.add(type);
  return { name, events, types };
});

describe.each(LOGS)('the index of the golden log $name', ({ events, types }) => {
  let followed: FollowedLog;
  let whole: Index;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    followed = await openFollowedLog();
    whole = await followed.follow(events, events);
  });
  afterAll(() => followed.close());

  it('lacks nothing if it gets every event', () => {
    expect(whole).toMatchObject({ gaps: {}, aside: 0 });
  });

  it('is the same if an event is skipped, of whatever type', async () => {
    for (const [type, append] of types) {
      const left = events.filter((one) => !append.includes(one));
      const skipped = await (isAwaited(append) ? followed.followLive(events, append) : followed.follow(events, left));
      expect({ type, ...skipped }).toEqual({ type, ...whole, gaps: { skipped: expect.any(Number) } });
    }
  });

  it('is the same if every event comes twice', async () => {
    const doubled = await followed.follow(
      events,
      wholeAppends(events).flatMap((append) => [...append, ...append]),
    );
    expect(doubled).toEqual({ ...whole, gaps: { doubled: expect.any(Number) } });
  });
});

it('the golden logs have every type of event of which the index keeps something', () => {
  const kept = Object.entries(EVENTS).flatMap(([type, { category }]) =>
    isIndexed(`${category}-x`) && !FENCES.has(type) ? [type] : [],
  );
  expect(kept.filter((type) => !seen.has(type))).toEqual([]);
});
