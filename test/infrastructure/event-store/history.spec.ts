import { setMaxListeners } from 'node:events';
import {
  type HistoryFilter,
  type HistoryPage,
  HistoryReader,
} from '../../../src/application/history/history-reader.js';
import { PostgresPool, ReadPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { PostgresEventStore } from '../../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const NEVER = 600_000;
const STREAMS = 30;
const NOBODY = { actor: 'nobody' };

const clock = { now: () => new Date(), iso: () => new Date().toISOString() };

/** Tasks that are appended together, so that thousands of events take a second. */
const tasks = (count: number) => Array.from({ length: count }, () => enqueue('q'));

let db: PostgresFixture;
let reads: ReadPool;
let history: HistoryReader;
let stop: AbortController;
let opened: AsyncGenerator<HistoryPage>[];

beforeAll(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('q')]);
  for (let batch = 0; batch < 21; batch++) await db.store.append(tasks(500));
});
afterAll(() => db.close());
beforeEach(() => {
  reads = new ReadPool({ url: db.url, size: 2 });
  history = new HistoryReader(new PostgresEventStore(reads, db.wakeUps), new LogFeed(db.store), clock);
  stop = new AbortController();
  setMaxListeners(0, stop.signal);
  opened = [];
});
afterEach(async () => {
  stop.abort();
  await Promise.all(opened.map((stream) => stream.return(undefined)));
  await reads.end();
});

/** The statements of a pool that read the log, while `work` runs. */
async function scansOn(pool: PostgresPool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const leave = pool.onStatement((text) => (count += /waybill_(segments_after|stream_between)/.test(text) ? 1 : 0));
  await work();
  leave();
  return count;
}

/** A stream that ends with the test. */
function follow(after: bigint, filter: HistoryFilter, heartbeatMs = NEVER): AsyncGenerator<HistoryPage> {
  const stream = history.follow(after, filter, stop.signal, heartbeatMs);
  opened.push(stream);
  return stream;
}

const next = async (stream: AsyncGenerator<HistoryPage>): Promise<HistoryPage> =>
  (await stream.next()).value as HistoryPage;

it('given a filter that nothing passes, one statement looks through 10,000 events at most', async () => {
  const upTo = await db.store.head();
  expect(await db.store.scan({ after: 7n, upTo }, 500, NOBODY)).toEqual({ events: [], reached: 10_007n });
  expect(await db.store.scan({ after: 10_007n, upTo }, 500, NOBODY)).toEqual({ events: [], reached: upTo });
});

it('given streams that have caught up, reads the log for none of them, and no stream looks at an event twice', async () => {
  const head = await db.store.head();
  const streams = Array.from({ length: STREAMS }, (_, at) => follow(head, { actor: `nobody-${at}` }, 50));
  const told = await Promise.all(streams.map(next));
  expect(told.every(({ reached }) => reached === head)).toBe(true);
  const appended = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await db.store.append([enqueue('q')]);
    for (const stream of streams) for (let at = head; at < head + 20n;) at = (await next(stream)).reached;
  };
  expect(await scansOn(reads, appended)).toBe(0);
});

it('given a stream behind the head, catches up on connections for reads only, then follows without a gap', async () => {
  const page = follow(0n, { types: ['QueueDefined', 'TaskEnqueued'] });
  const seen: bigint[] = [];
  const head = await db.store.head();
  const caughtUp = async (): Promise<void> => {
    while ((seen.at(-1) ?? 0n) < head) seen.push(...(await next(page)).events.map(({ position }) => position));
  };
  const shared = [jest.spyOn(db.store, 'readSegments'), jest.spyOn(db.store, 'follow')];
  expect(await scansOn(reads, caughtUp)).toBeGreaterThan(1);
  // The shared reader looks for new events only, as often as it is woken.
  const after = shared.flatMap(({ mock }) => mock.calls.map(([position]) => position));
  expect(after.filter((position) => position < head)).toEqual([]);
  for (const spy of shared) spy.mockRestore();
  await db.store.append(tasks(3));
  while (seen.length < Number(head) + 3) seen.push(...(await next(page)).events.map(({ position }) => position));
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => BigInt(at + 1)));
});

it('given more reads of the past than connections, answers commands at once', async () => {
  const hogs = await Promise.all([reads.connect(), reads.connect()]);
  const waiting = follow(0n, NOBODY).next();
  expect(await db.store.append([enqueue('q')])).toMatchObject([{ kind: 'appended' }]);
  for (const hog of hogs) hog.release();
  expect((await waiting).value).toMatchObject({ events: [], caughtUp: true });
});

it('given a read that takes longer than its time, ends it with the error of the database', async () => {
  const brief = new ReadPool({ url: db.url, size: 1, statementMs: 20 });
  await expect(brief.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
  await brief.end();
});

it('given a reader that leaves while nothing passes its filter, stops to read', async () => {
  const pages = history.read({ after: 0n, upTo: 1_000_000_000n }, 10, NOBODY, stop.signal, NEVER);
  const reading = pages.next();
  stop.abort(new Error('the reader left'));
  await expect(reading).rejects.toThrow('the reader left');
});
