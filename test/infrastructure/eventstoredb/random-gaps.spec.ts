import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { TASK_CATEGORY } from '../../../src/domain/task/task.stream.js';
import { categoryOf } from '../../../src/domain/aggregates.js';
import { transactionStream } from '../../../src/infrastructure/eventstoredb/log/transaction.events.js';
import { wholeAppends } from '../../../src/infrastructure/eventstoredb/reservations/apply-request.js';
import { type FollowedLog, type Index, openFollowedLog } from '../../support/eventstoredb/followed-log.js';
import {
  ACTS,
  type Append,
  type Fate,
  FATES,
  fatesOf,
  historyOf,
  MOST_MS,
  runs,
} from '../../support/eventstoredb/random-histories.js';

const QUEUE = 'mail';
/** What the follower gets, and how many gaps it is to find. */
function withFates(events: readonly RecordedEvent[], fates: readonly Fate[]) {
  const { appends, gaps } = fatesOf(events, fates);
  const times = { comes: 1, skipped: 0, doubled: 2 };
  const delivered = appends.flatMap(({ append, fate }) => Array<Append>(times[fate]).fill(append).flat());
  return { delivered, gaps };
}

/** How many of the next appends are made at once. */
const SIZES: fc.Arbitrary<readonly number[]> = fc.array(fc.constantFrom(1, 1, 2, 3), { minLength: 35, maxLength: 35 });
/** Leaves room for the events that commit transactions. */
const APART = 10n;

/** The history with transactions of neighbours, if these are of different tasks: as servers store them that take several at once, or as others do. */
function withTransactions(events: readonly RecordedEvent[], sizes: readonly number[], atOnce: boolean) {
  const apart = events.map((event) => ({ ...event, position: event.position * APART }));
  const appends = wholeAppends(apart);
  const stored: RecordedEvent[] = [];
  for (let [at, nth] = [0, 0]; at < appends.length; nth++) {
    const parts = partsOf(appends.slice(at, at + sizes[nth % sizes.length]!));
    at += parts.length;
    stored.push(...(parts.length > 1 ? transactionOf(parts, atOnce) : parts.flat()));
  }
  return stored;
}

/** The first of the appends that may be one transaction, which claims never are. */
function partsOf(appends: readonly Append[]): readonly Append[] {
  const streams = new Set<string>();
  const end = appends.findIndex((append) => {
    const { stream, event } = append[0]!;
    const isPart = categoryOf(stream) === TASK_CATEGORY && event.type !== 'TaskClaimed' && !streams.has(stream);
    streams.add(stream);
    return !isPart;
  });
  return appends.slice(0, end < 0 ? appends.length : Math.max(end, 1));
}

function transactionOf(parts: readonly Append[], atOnce: boolean): readonly RecordedEvent[] {
  const id = uuidv7();
  const of = parts.length;
  const part = { id, of, ...(atOnce && { atOnce }) };
  const stored = parts.flatMap((events, item) => events.map((event) => ({ ...event, transaction: { ...part, item } })));
  return atOnce ? stored : [committed(id, parts), ...stored];
}

function committed(id: string, parts: readonly Append[]): RecordedEvent {
  const items = parts.map(([first, ...others]) => ({
    stream: first!.stream,
    expected: first!.revision - 1,
    events: [first!, ...others].map(({ id: eventId, event, envelope }) => ({ id: eventId, event, envelope })),
  }));
  const event = { type: 'TransactionCommitted', version: 1, data: { items } } as never;
  const [first] = parts[0] as [RecordedEvent];
  const place = { stream: transactionStream(id), revision: 0, position: first.position - 1n };
  return { id: uuidv7(), ...place, event, recordedAt: first.recordedAt, envelope: first.envelope };
}

interface ReadyRow {
  readonly queue: string;
  readonly priority: number;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly step: string | null;
}

/** The ready lane task by task: a task that came late has a row of its own there, which claims look for before their floor. */
function standing({ tables: { ready, ...tables } }: Index) {
  const places = (ready as readonly ReadyRow[]).flatMap(({ from_seq: from, to_seq: to, queue, priority, step }) =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ queue, priority, step, place: from + at })),
  );
  return { ...tables, places: places.sort((one, other) => one.place - other.place) };
}

let followed: FollowedLog;
beforeAll(async () => {
  Logger.overrideLogger(false);
  followed = await openFollowedLog();
});
afterAll(() => followed.close());

it('whatever is skipped or doubled of whatever history, the index is that of every event once, and every gap is counted', async () => {
  const end = performance.now() + MOST_MS;
  const property = fc.asyncProperty(ACTS, FATES, async (acts, fates) => {
    if (performance.now() > end) return;
    const events = await historyOf(acts, QUEUE);
    const whole = standing(await followed.follow(events, events));
    const { delivered, gaps } = withFates(events, fates);
    const found = await followed.follow(events, delivered);
    expect(standing(found)).toEqual(whole);
    expect(found.aside).toBe(0);
    expect({ skipped: 0, doubled: 0, ...found.gaps }).toEqual(gaps);
  });
  await fc.assert(property, runs());
}, 3_600_000);

it('whatever of its transactions is skipped, the index has each of them whole', async () => {
  const end = performance.now() + MOST_MS;
  const property = fc.asyncProperty(ACTS, FATES, SIZES, fc.boolean(), async (acts, fates, sizes, atOnce) => {
    if (performance.now() > end) return;
    const events = withTransactions(await historyOf(acts, QUEUE), sizes, atOnce);
    const shown = events.filter(({ event }) => (event.type as string) !== 'TransactionCommitted');
    const whole = standing(await followed.follow(events, shown));
    const { delivered, gaps } = withFates(
      shown,
      fates.map((fate) => (fate === 'doubled' ? 'comes' : fate)),
    );
    const found = await followed.follow(events, delivered);
    expect(standing(found)).toEqual(whole);
    expect(found.aside).toBe(0);
    expect((found.gaps.skipped ?? 0) > 0).toBe(gaps.skipped > 0);
  });
  await fc.assert(property, runs());
}, 3_600_000);
