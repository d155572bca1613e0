import { type HistoryPage, HistoryReader } from '../../../src/application/history/history-reader.js';
import type { EventReads, LogSlice, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { Cursor } from '../../../src/application/kernel/live-log.port.js';
import { RecordedSegment } from '../../../src/application/kernel/log-segment.js';
import { STEP_BYTES } from '../../../src/domain/kernel/byte-budget.js';

/** Pages that clients have not taken yet have room for four of these. */
const LARGE = 'x'.repeat(STEP_BYTES);
const READERS = 20;
const NEVER = 600_000;

const clock = { now: () => new Date(0), iso: () => '1970-01-01T00:00:00.000Z' };

const largeEvent = (position: bigint): RecordedEvent =>
  ({ position, stream: 'task-1', event: { type: 'TaskEnqueued', data: { payload: LARGE } }, envelope: {} }) as never;

let reads: number;
let isLive: boolean;
let stop: AbortController;
let opened: AsyncGenerator<HistoryPage>[];
let history: HistoryReader;

/** A log whose every event is as large as a page may be. */
const store = {
  scan: async ({ after }: { readonly after: bigint }): Promise<LogSlice> => {
    reads += 1;
    return { events: [largeEvent(after + 1n)], reached: after + 1n };
  },
} as unknown as EventReads;

/** New events come one by one. */
const cursor: Cursor = {
  next: async (after) => {
    reads += 1;
    return [new RecordedSegment([largeEvent(after + 1n)])];
  },
  lackingUpTo: async (after) => (isLive ? null : after + 100n),
  close: async () => undefined,
};

beforeEach(() => {
  [reads, isLive, opened] = [0, false, []];
  stop = new AbortController();
  history = new HistoryReader(store, { open: () => cursor }, clock);
});
afterEach(async () => {
  stop.abort();
  await Promise.all(opened.map((stream) => stream.return(undefined)));
});

/** Asks each stream for its first page. Resolves when nothing happens any more, with the streams that got one. */
async function firstPages(open: () => AsyncGenerator<HistoryPage>): Promise<AsyncGenerator<HistoryPage>[]> {
  const served: AsyncGenerator<HistoryPage>[] = [];
  for (let n = 0; n < READERS; n++) {
    const stream = open();
    opened.push(stream);
    void stream.next().then(
      ({ done }) => !done && served.push(stream),
      () => undefined, // aborted
    );
  }
  await quiet();
  return served;
}

/** Nothing here waits for anything but another turn. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe.each([
  [
    'the past of one task',
    () => history.read({ after: 0n, upTo: 100n }, 100, { task: '1' }, stop.signal, NEVER),
    false,
  ],
  ['the past of a followed task', () => history.follow(0n, { task: '1' }, stop.signal, NEVER), false],
  ['new events', () => history.follow(0n, {}, stop.signal, NEVER), true],
])('given clients that do not take large pages of %s', (_, open, live) => {
  beforeEach(() => {
    isLive = live;
  });

  it('holds four pages at most, and the others wait', async () => {
    const served = await firstPages(open);
    expect(served.length).toBeGreaterThan(0);
    expect(served.length).toBeLessThanOrEqual(4);
  });

  it('reads for the next one when one of them leaves', async () => {
    const served = await firstPages(open);
    const before = reads;
    await served[0]!.return(undefined);
    await quiet();
    expect(reads).toBeGreaterThan(before);
  });
});
