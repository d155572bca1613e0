import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { HistoryReader } from '../../../src/application/history/history-reader.js';
import type {
  AppendItem,
  EventReads,
  LogRange,
  RecordedEvent,
} from '../../../src/application/kernel/event-store.port.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { LogMarker } from '../../../src/infrastructure/eventstoredb/log/log-marker.js';
import { PostgresLogMarks } from '../../../src/infrastructure/eventstoredb/log/postgres-log-marks.js';
import type { Stretch } from '../../../src/infrastructure/eventstoredb/log/stretches.js';
import { enqueue } from '../../support/events.js';
import type { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { writeAsOthers } from '../../support/eventstoredb/foreign-events.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { openStore } from '../../support/eventstoredb/open-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { until } from '../../support/until.js';

const OWN = 20;
/** Events of others that together are worth to be left out. */
const FOREIGN = { count: 40, bytes: 10_000 };
/** What a look at the log's end and the reads of records cost. */
const BESIDES = 40;
/** Calls of the server for a read: is the log the same, and what follows the newest stretch. */
const FEW = 3;
/** And for a search by time: the log's end, and the mark. */
const LOOKS = 2;
const MINUTE = 60_000;
const FOLLOWERS = 7;

let database: TestDatabase;
let pool: PostgresPool;
let marks: PostgresLogMarks;
let first: LogFixture;
let server: EventStoreDbFixture;
const opened: LogFixture[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new PostgresPool({ url: database.url, size: 4 });
  marks = new PostgresLogMarks(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(async () => {
  await pool.query('truncate log_stretches, log_marks');
  opened.push((first = await openLog({ marks })));
  ({ server } = first);
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const { close } of opened.splice(0).reverse()) await close();
});

async function append(...items: readonly AppendItem[]): Promise<string[]> {
  for (const one of items) await first.log.append([one]);
  return items.map(({ stream }) => stream);
}

async function appendAmongOthers(count = OWN): Promise<string[]> {
  const streams: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    writeAsOthers(server.log, FOREIGN);
    streams.push(...(await append(enqueue('q'))));
  }
  return streams;
}

/** Another process, with the same database. */
async function another(known = marks): Promise<LogFixture> {
  const log = await openLog({ on: server, prefix: first.prefix, marks: known });
  opened.push(log);
  return log;
}

const streamsOf = (events: readonly { readonly stream: string }[]): string[] => events.map(({ stream }) => stream);
const readAll = async ({ log }: LogFixture): Promise<string[]> => streamsOf(await log.readAll(0n, 10_000));

/** How many events the server looks at for the work. */
async function looked(work: () => Promise<unknown>): Promise<number> {
  const ended = () => until('the server to have ended its calls', async () => (server.openCalls <= 1 ? true : null));
  await ended();
  const before = server.looked;
  await work();
  await ended();
  return server.looked - before;
}

/** How many calls of the server the work needs. */
async function calls(work: () => Promise<unknown>): Promise<number> {
  const before = server.reads;
  await work();
  return server.reads - before;
}

/** Keeps nothing but one stretch, in which there are events of ours. */
async function hide(stretch: Stretch, known = marks): Promise<void> {
  await pool.query('truncate log_stretches');
  await known.add([stretch]);
}

const stretchesKept = async (): Promise<number> => (await pool.query('select 1 from log_stretches')).rows.length;

describe('a search through the log', () => {
  it('looks once through what others wrote, in whatever process', async () => {
    const streams = await appendAmongOthers();
    expect(await readAll(first)).toEqual(streams);
    const restarted = await another();
    for (const process of [first, restarted]) {
      let found: string[] = [];
      expect(await looked(async () => (found = await readAll(process)))).toBeLessThan(OWN + BESIDES);
      expect(found).toEqual(streams);
    }
  });

  it('need not be the first one, because the follower of the index keeps where nothing of ours is', async () => {
    const store = await openStore({ url: server.url, prefix: first.prefix, databaseUrl: database.url });
    const streams: string[] = [];
    for (let nth = 0; nth < OWN; nth++) {
      writeAsOthers(server.log, FOREIGN);
      const one = enqueue('q');
      const [result] = await store.store.append([one]);
      expect(await store.index.reached((result as { readonly position: bigint }).position, 20_000)).toBe(true);
      streams.push(one.stream);
    }
    await store.close();
    const reader = await another();
    let found: string[] = [];
    expect(await looked(async () => (found = await readAll(reader)))).toBeLessThan(OWN + BESIDES);
    expect(found).toEqual(streams);
  });

  it('needs no call for each event of ours that stands alone, in whatever process', async () => {
    const streams = await appendAmongOthers();
    await readAll(first);
    for (const process of [first, await another()]) {
      let found: string[] = [];
      expect(await calls(async () => (found = await readAll(process)))).toBeLessThanOrEqual(FEW);
      expect(found).toEqual(streams);
    }
  });

  it('needs none for events of ours that stand together, once they were read', async () => {
    const streams: string[] = [];
    for (let nth = 0; nth < OWN; nth++) {
      streams.push(...(await append(enqueue('q'), enqueue('q'))));
      writeAsOthers(server.log, FOREIGN);
    }
    streams.push(...(await append(enqueue('q'))));
    for (let nth = 0; nth < 2; nth++) await readAll(first);
    let found: string[] = [];
    expect(await calls(async () => (found = await readAll(first)))).toBeLessThanOrEqual(FEW);
    expect(found).toEqual(streams);
  });

  it('reads what is too long to be kept from the store', async () => {
    writeAsOthers(server.log, FOREIGN);
    const long = enqueue('q', { payload: 'x'.repeat(10_000) });
    const streams = await append(long);
    for (let nth = 0; nth < 3; nth++) expect(await readAll(first)).toEqual(streams);
    expect((await pool.query('select 1 from log_stretches where island is not null')).rows).toHaveLength(0);
  });

  it('gives the same from wherever it begins, whatever is known', async () => {
    for (const size of [1, 3, 1, 30, 2]) {
      writeAsOthers(server.log, FOREIGN);
      for (let nth = 0; nth < size; nth++) {
        await append(enqueue('q'));
        writeAsOthers(server.log, { count: nth % 3, bytes: 300 });
      }
    }
    const unknowing = await openLog({ on: server, prefix: first.prefix });
    opened.push(unknowing);
    const places = server.log.all.filter((_, nth) => nth % 23 === 0).map(({ position }) => position);
    // Three times: from what the first reads learn, the second ones gain, and they learn more.
    for (const after of [0n, ...places, 0n, ...places, 0n, ...places]) {
      const [some, all] = [3, 100];
      for (const limit of [some, all])
        expect(await first.log.readAll(after, limit)).toEqual(await unknowing.log.readAll(after, limit));
    }
    expect(await stretchesKept()).toBe(5);
  });

  it('finds an event behind a checkpoint that had passed it', async () => {
    const streams = await appendAmongOthers(2);
    server.faults.passEvent();
    await expect(readAll(first)).rejects.toThrow(/Connection dropped/);
    streams.push(...(await appendAmongOthers(1)));
    expect(await readAll(first)).toEqual(streams);
    expect(await readAll(await another())).toEqual(streams);
  });

  it('leaves out all that the server sends again, and hides nothing between', async () => {
    const streams = await append(enqueue('q'), enqueue('q'));
    streams.push(...(await appendAmongOthers(2)));
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    server.faults.rewindAfter(({ stream }) => stream.endsWith(streams[2]!));
    expect(await readAll(first)).toEqual(streams);
    expect(warn).toHaveBeenCalledTimes(3);
    expect(await readAll(await another())).toEqual(streams);
  });

  it('believes nothing of a log that is another one, and says so once', async () => {
    await appendAmongOthers(3);
    await readAll(first);
    await new LogMarker(first.log, marks).look();
    opened.push((first = await openLog({ marks })));
    ({ server } = first);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const streams = await append(enqueue('q'));
    streams.push(...(await appendAmongOthers(4)));
    expect(await readAll(first)).toEqual(streams);
    expect(await readAll(await another())).toEqual(streams);
    const told = warn.mock.calls.filter(([line]) =>
      /^Expected the log to have the event at position \d+/.test(String(line)),
    );
    expect(told).toHaveLength(1);
    expect(await first.log.positionBefore(new Date().toISOString())).toBeLessThanOrEqual(await first.log.head());
  });

  it('does not believe a stretch that ends with another event than it did', async () => {
    const streams = await appendAmongOthers(3);
    const [, , last] = (await first.log.readAll(0n, 3)) as RecordedEvent[];
    await hide({ after: 0n, upTo: last!.position, id: uuidv7() });
    expect(await readAll(first)).toEqual(streams);
    expect(await readAll(first)).toEqual(streams);
  });

  it('does not believe a build that knew fewer kinds of streams', async () => {
    const streams = await appendAmongOthers(3);
    const [, , last] = (await first.log.readAll(0n, 3)) as RecordedEvent[];
    await hide({ after: 0n, upTo: last!.position, id: last!.id }, new PostgresLogMarks(pool, undefined, 1));
    expect(await readAll(first)).toEqual(streams);
  });
});

describe('the marks of the log', () => {
  it('spare it all, if the process before has stopped in order, however long ago it made the last one', async () => {
    await appendAmongOthers(1);
    const marker = new LogMarker(first.log, marks);
    marker.start();
    await until('the first mark', async () => (await marks.newest()) ?? null);
    for (let nth = 0; nth < OWN; nth++) writeAsOthers(server.log, FOREIGN);
    await marker.stop();
    const { log } = await another();
    expect(await looked(() => log.head())).toBeLessThan(BESIDES);
  });

  it('let a process stop that was never started, or whose store is away', async () => {
    const marker = new LogMarker(first.log, marks);
    await marker.stop();
    expect(await marks.newest()).toBeNull();
    marker.start();
    await server.stop();
    await marker.stop();
  });

  it('let all who follow the log look together through what others wrote since', async () => {
    await appendAmongOthers(1);
    await new LogMarker(first.log, marks).look();
    for (let nth = 0; nth < OWN; nth++) writeAsOthers(server.log, FOREIGN);
    const head = await first.log.head();
    const { log } = await another();
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const page of log.subscribe(head, { signal: stop.signal })) if (page.length > 0) return;
    };
    const seen = server.looked;
    const followers = Array.from({ length: FOLLOWERS }, follow);
    await until('all to follow', async () => (server.openCalls >= FOLLOWERS ? true : null));
    await append(enqueue('q'));
    await Promise.all(followers);
    stop.abort();
    expect(server.looked - seen).toBeLessThan(2 * OWN * FOREIGN.count);
  });

  it('spare a restarted process what others wrote after our last event', async () => {
    await appendAmongOthers(1);
    for (let nth = 0; nth < OWN; nth++) writeAsOthers(server.log, FOREIGN);
    await new LogMarker(first.log, marks).look();
    const head = await first.log.head();
    const restarted = await another();
    let found = 0n;
    expect(await looked(async () => (found = await restarted.log.head()))).toBeLessThan(BESIDES);
    expect(found).toBe(head);
    expect(await looked(() => restarted.log.readAll(head, 10))).toBeLessThan(BESIDES);
    const streams = await append(enqueue('q'));
    expect(streamsOf(await restarted.log.readAll(head, 10))).toEqual(streams);
  });

  it('lead to a time, in whatever process', async () => {
    await appendAmongOthers();
    await new LogMarker(first.log, marks).look();
    const mark = server.log.all.at(-1)!.position;
    const later = Date.now() + 3 * MINUTE;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    const stamp = { recordedAt: new Date(later).toISOString() };
    await first.log.append([enqueue('q')], stamp);
    jest.restoreAllMocks();
    for (const { log } of [first, await another()]) {
      let found = 0n;
      await log.head();
      expect(await looked(async () => (found = await log.positionBefore(stamp.recordedAt)))).toBeLessThan(BESIDES);
      expect(found).toBe(mark);
    }
  });

  it('lead to a time with a few calls, however many events of ours stand alone before it', async () => {
    await append(enqueue('q'));
    await new LogMarker(first.log, marks).look();
    const later = Date.now() + 3 * MINUTE;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    for (let nth = 0; nth < OWN; nth++) {
      writeAsOthers(server.log, FOREIGN);
      await first.log.append([enqueue('q')], { recordedAt: new Date(later + nth).toISOString() });
    }
    clock.mockRestore();
    const { log } = await another();
    const newest = await log.head();
    const find = (): Promise<bigint> => log.positionBefore(new Date(later + OWN).toISOString());
    await find();
    let found = 0n;
    expect(await calls(async () => (found = await find()))).toBeLessThanOrEqual(FEW + LOOKS);
    expect(found).toBe(newest);
  });

  it('lead to the events since a time with three calls, and the page of them needs none at once', async () => {
    await append(enqueue('q'));
    await new LogMarker(first.log, marks).look();
    const later = Date.now() + 3 * MINUTE;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    const streams: string[] = [];
    for (let nth = 0; nth < OWN; nth++) {
      writeAsOthers(server.log, FOREIGN);
      const one = enqueue('q');
      await first.log.append([one], { recordedAt: new Date(later + nth).toISOString() });
      streams.push(one.stream);
    }
    clock.mockRestore();
    const { log } = await another();
    await log.head();
    const history = new HistoryReader(log as unknown as EventReads, null!, null!);
    const start = { at: new Date(later) };
    const page = async (range: LogRange): Promise<string[]> => {
      const { events } = await log.scan(range, 100, {});
      return events.map(({ stream }) => stream);
    };
    for (let nth = 0; nth < 2; nth++) await page(await history.rangeFrom(start));
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    let range: LogRange | undefined;
    let found: string[] = [];
    expect(await calls(async () => (range = await history.rangeFrom(start)))).toBe(3);
    expect(await calls(async () => (found = await page(range!)))).toBe(0);
    expect(found).toEqual(streams);
    monotonic.mockReturnValue(performance.now() + MINUTE);
    expect(await calls(() => page(range!))).toBe(1);
  });

  it('lead to a time before the first of them', async () => {
    const [early, late] = [Date.now(), Date.now() + 10 * MINUTE];
    await appendAmongOthers(2);
    const before = await first.log.head();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(late);
    await first.log.append([enqueue('q')], { recordedAt: new Date(late).toISOString() });
    await new LogMarker(first.log, marks).look();
    clock.mockRestore();
    for (let nth = 0; nth < OWN; nth++) writeAsOthers(server.log, FOREIGN);
    const { log } = await another();
    await log.head();
    const time = new Date(early + 5 * MINUTE).toISOString();
    let found = 0n;
    expect(await looked(async () => (found = await log.positionBefore(time)))).toBeLessThan(3 * FOREIGN.count);
    expect(found).toBe(before);
  });

  it('are one a minute, however many processes note them', async () => {
    await appendAmongOthers(1);
    for (const { log } of [first, await another()]) {
      await new LogMarker(log, marks).look();
      writeAsOthers(server.log, FOREIGN);
    }
    expect((await pool.query('select 1 from log_marks')).rows).toHaveLength(1);
  });
});

describe('the stretches that are kept', () => {
  it('are the longest ones, if there are too many', async () => {
    const few = new PostgresLogMarks(pool, 3);
    const stretches = Array.from({ length: 10 }, (_, nth) => {
      const after = BigInt(nth * 1_000_000);
      return { after, upTo: after + BigInt(1 + ((nth * 7) % 10)), id: uuidv7() };
    });
    await few.add(stretches);
    await few.prune();
    const kept = await few.stretches({ after: -1n, upTo: 100_000_000n });
    expect(new Set(kept.map(({ after, upTo }) => upTo - after))).toEqual(new Set([8n, 9n, 10n]));
  });

  it('keep the events after the newest ones, if there are too many', async () => {
    await appendAmongOthers(6);
    await readAll(first);
    await new PostgresLogMarks(pool, undefined, undefined, 2).prune();
    const { rows } = await pool.query('select island is not null as kept from log_stretches order by up_to desc');
    expect(rows.map(({ kept }) => kept as boolean)).toEqual([true, true, false, false, false, false]);
    await marks.prune();
    expect(await stretchesKept()).toBe(6);
  });

  it('grow if somebody had begun to look within them', async () => {
    const id = uuidv7();
    await marks.add([{ after: 500n, upTo: 1_000n, id }]);
    await marks.add([{ after: 100n, upTo: 1_000n, id }]);
    await marks.add([{ after: 700n, upTo: 1_000n, id }]);
    expect(await marks.stretches({ after: 0n, upTo: 2_000n })).toEqual([{ after: 100n, upTo: 1_000n, id }]);
  });
});
