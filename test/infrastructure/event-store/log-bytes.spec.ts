import { uuidv7 } from 'uuidv7';
import type { LogSlice } from '../../../src/application/kernel/event-store.port.js';
import { STEP_BYTES } from '../../../src/domain/kernel/byte-budget.js';
import { bytesOf, type LogSegment } from '../../../src/application/kernel/log-segment.js';
import { LogWindow } from '../../../src/infrastructure/projection-engine/log-window.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { defineQueue, enqueue, item, queueDefined } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const MIB = 1024 * 1024;
const queue = `q-${uuidv7()}`;

describe('a page of the log', () => {
  let fixture: PostgresFixture;
  let head: bigint;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    await fixture.store.append([defineQueue(queue)]);
    for (let n = 0; n < 10; n++) {
      await fixture.store.append([
        enqueue(queue, { payload: 'x'.repeat(MIB) }),
        enqueue(queue, { payload: 'x'.repeat(1_000) }),
      ]);
    }
    await fixture.store.append([enqueue(queue, { payload: 'x'.repeat(6 * MIB) }), enqueue(queue)]);
    head = await fixture.store.head();
  });
  afterAll(() => fixture.close());

  it('has 4 MiB, or one larger event, and the next ones have the rest', async () => {
    const sizes: number[] = [];
    let after = 0n;
    while (after < head) {
      const page: readonly LogSegment[] = await fixture.store.readSegments(after, 1_000);
      sizes.push(bytesOf(page));
      after = page.at(-1)!.position;
    }
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    expect(sizes.filter((bytes) => bytes > STEP_BYTES + 2 * MIB).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['no filter', {}],
    ['a queue', { queue }],
    ['a type', { types: ['TaskEnqueued'] }],
    ['a queue without events', { queue: `q-${uuidv7()}` }],
  ])('under %s tells how far it has come', async (_, filter) => {
    const all = (await fixture.store.scan({ after: 0n, upTo: head }, 1_000, {})).reached;
    expect(all).toBeLessThan(head);
    const events: bigint[] = [];
    let reached = 0n;
    while (reached < head) {
      const slice = await fixture.store.scan({ after: reached, upTo: head }, 1_000, filter);
      expect(slice.reached).toBeGreaterThan(reached);
      events.push(...slice.events.map(({ position }) => position));
      reached = slice.reached;
    }
    expect(reached).toBe(head);
    const expected = 'types' in filter ? 22 : 'queue' in filter && filter.queue !== queue ? 0 : 23;
    expect(events).toHaveLength(expected);
    expect(new Set(events).size).toBe(expected);
  });
});

describe('the histories of many streams', () => {
  let fixture: PostgresFixture;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    await fixture.store.append([defineQueue(queue)]);
  });
  afterAll(() => fixture.close());

  it('come 4 MiB at a time, or one larger history, whole and in order', async () => {
    const sizes = [10, MIB, MIB, 2 * MIB, 6 * MIB, 10, 10, MIB];
    const items = sizes.map((size) => enqueue(queue, { payload: 'x'.repeat(size) }));
    for (const item of items) await fixture.store.append([item]);
    const streams = [taskStream(uuidv7()), ...items.map(({ stream }) => stream), taskStream(uuidv7())];
    const found: number[] = [];
    const counts: number[] = [];
    while (found.length < streams.length) {
      const some = await fixture.store.readFirst(streams.slice(found.length));
      counts.push(some.length);
      found.push(
        ...some.map((events) => (events[0]?.event.data as { payload: string } | undefined)?.payload.length ?? 0),
      );
    }
    expect(found).toEqual([0, ...sizes, 0]);
    expect(counts).toEqual([5, 1, 4]);
    expect((await fixture.store.readStreams(streams)).map(({ length }) => length)).toEqual([
      0,
      ...sizes.map(() => 1),
      0,
    ]);
  });
});

describe('a page of one stream', () => {
  const EVENTS = 10;
  const stream = `queue-${queue}`;
  let fixture: PostgresFixture;
  let head: bigint;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    for (let n = 0; n < EVENTS; n++) {
      const { type, version, data } = queueDefined(queue);
      const description = 'x'.repeat(MIB);
      await fixture.store.append([item(stream, n - 1, [{ type, version, data: { ...data, description } }])]);
      await fixture.store.append([defineQueue(`other-${uuidv7()}`)]);
    }
    head = await fixture.store.head();
  });
  afterAll(() => fixture.close());

  it.each([
    ['no other filter', {}, EVENTS],
    ['its queue', { queue }, EVENTS],
    ['a type that it lacks', { types: ['QueuePaused'] }, 0],
  ])('has 4 MiB, and the next ones have the rest: %s', async (_, filter, expected) => {
    const slices: LogSlice[] = [];
    for (let after = 0n; after < head; after = slices.at(-1)!.reached) {
      slices.push(await fixture.store.scan({ after, upTo: head }, 1_000, { ...filter, stream }));
      expect(slices.at(-1)!.reached).toBeGreaterThan(after);
      expect(slices.at(-1)!.events.length).toBeLessThanOrEqual(5);
    }
    expect(slices.flatMap(({ events }) => events).map(({ revision }) => revision)).toEqual(
      Array.from({ length: expected }, (_, revision) => revision),
    );
  });
});

describe('the window of a feed', () => {
  const segment = (position: bigint, bytes: number) => ({ position, size: 1, bytes }) as LogSegment;
  const pace = { restAfter: () => 0 };

  it('keeps 16 MiB for a slow follower, and is full then', () => {
    const window = new LogWindow(8_000);
    const slow = { after: 0n, pace, restsUntil: 0 };
    window.places.add(slow);
    window.begin(0n);
    for (let n = 1n; n <= 3n; n++) window.push([segment(n, 4 * MIB)]);
    expect([window.isFull, window.isBehind(0n)]).toEqual([false, false]);
    window.push([segment(4n, 4 * MIB)]);
    expect([window.isFull, window.isBehind(0n)]).toEqual([true, false]);
    window.push([segment(5n, 4 * MIB)]);
    expect(window.isBehind(0n)).toBe(true);
    slow.after = 5n;
    window.release();
    expect(window.isFull).toBe(false);
  });
});
