import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { uuidv7 } from 'uuidv7';
import {
  type AppendItem,
  type AppendResult,
  type EventFilter,
  EventStoreUnavailable,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { SEARCH_WINDOW } from '../../../src/infrastructure/eventstoredb/log/clients/store-client.port.js';
import { enqueue, enqueued, item } from '../../support/events.js';
import { inFile, selfSigned } from '../../support/eventstoredb/certificate.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { until } from '../../support/until.js';

let fixture: LogFixture;
const TIMES = { attemptMs: 1_000, retryMs: 20_000 };

afterEach(() => fixture.close());

const OTHERS = 20_000;
const OWN = 50;
/** What a server sends besides the events that were asked for: the newest ones, confirmations, how far it has looked. */
const BESIDES = 40;
const FOREIGN = { type: 'X', contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.from('') };
const settings = (content: object) => ({ ...FOREIGN, id: randomUUID(), data: Buffer.from(JSON.stringify(content)) });
const writeAsOthers = (server: EventStoreDbFixture, count: number): void => {
  const events = Array.from({ length: count }, () => ({ id: randomUUID(), ...FOREIGN }));
  server.log.append(`other-${randomUUID()}`, 'any', events);
};

/** Appends tasks with events of others between them. Returns their streams. */
async function appendAmongOthers(count: number): Promise<string[]> {
  const ones = Array.from({ length: count }, () => enqueue('q'));
  for (const one of ones) {
    writeAsOthers(fixture.server, OTHERS / count);
    await append(one);
  }
  return ones.map(({ stream }) => stream);
}

const streamsOf = (events: readonly { readonly stream: string }[]): string[] => events.map(({ stream }) => stream);

async function scanAll(filter: EventFilter): Promise<string[]> {
  const [found, upTo]: [string[], bigint] = [[], await fixture.log.head()];
  for (let after = 0n; after < upTo;) {
    const { events, reached } = await fixture.log.scan({ after, upTo }, 20, filter);
    found.push(...streamsOf(events));
    after = reached;
  }
  return found;
}

/** The result of the work, for which the server may send at most this many messages. */
async function sending<T>(most: number, work: () => Promise<T>): Promise<T> {
  const { sent } = fixture.server;
  const result = await work();
  expect(fixture.server.sent - sent).toBeLessThanOrEqual(most);
  return result;
}

const append = async (one: AppendItem): Promise<AppendResult> => (await fixture.log.append([one]))[0]!;
const read = async (stream: string): Promise<readonly RecordedEvent[]> => (await fixture.log.readStreams([stream]))[0]!;

describe('an append', () => {
  beforeEach(async () => {
    fixture = await openLog(TIMES);
  });

  it('stores the envelope where EventStoreDB expects it', async () => {
    const one = enqueue('q');
    const envelope = { actor: 'ada', correlationId: 'c-1', causationId: 'e-1', reason: 'because', policyVersion: 3 };
    await append({ ...one, events: [{ ...one.events[0]!, envelope }] });
    expect((await read(one.stream))[0]!.envelope).toEqual(envelope);
    const stored = JSON.parse(Buffer.from(fixture.server.log.all.at(-1)!.metadata).toString()) as object;
    expect(stored).toMatchObject({ $correlationId: 'c-1', $causationId: 'e-1', actor: 'ada' });
  });

  it('that was stored but not answered is found in its stream', async () => {
    fixture.server.faults.planAppend({ kind: 'drop' });
    const one = enqueue('q');
    expect(await append(one)).toMatchObject({ kind: 'appended', revision: 0 });
    expect(await read(one.stream)).toHaveLength(1);
  });

  it('that was lost is sent again, and stored once', async () => {
    fixture.server.faults.planAppend({ kind: 'lose' });
    const one = enqueue('q');
    expect(await append(one)).toMatchObject({ kind: 'appended', revision: 0 });
    expect(await read(one.stream)).toHaveLength(1);
  });

  it('that timed out on the server is sent again', async () => {
    fixture.server.faults.planAppend({ kind: 'timeout' });
    expect(await append(enqueue('q'))).toMatchObject({ kind: 'appended' });
  });

  it('that arrives after another one was stored in its place is a conflict', async () => {
    await append(enqueue('q')); // opens the call: the first two on it may overtake each other
    const one = enqueue('q');
    let release!: () => void;
    fixture.server.faults.planAppend({ kind: 'hold', until: new Promise<void>((resolve) => (release = resolve)) });
    const held = append(one);
    expect(await append(item(one.stream, NO_STREAM, [enqueued('q')]))).toMatchObject({ kind: 'appended' });
    expect(await held).toEqual({ kind: 'conflict', actual: 0 });
    release();
    expect(await read(one.stream)).toHaveLength(1);
  });

  it('survives a lost connection, as do the others in progress', async () => {
    const ones = Array.from({ length: 50 }, () => enqueue('q'));
    const never = new Promise<void>(() => undefined);
    fixture.server.faults.planAppend({ kind: 'hold', until: never }, (stream) => stream.endsWith(ones[0]!.stream));
    const results = Promise.all(ones.map(append));
    await until('49 stored events', async () => (fixture.server.log.ordinary.length >= 49 ? true : null));
    fixture.server.cut();
    expect((await results).map(({ kind }) => kind)).toEqual(ones.map(() => 'appended'));
    expect(fixture.server.log.ordinary).toHaveLength(50);
  });

  it('survives a lost connection while it waits to be sent', async () => {
    const patient = await openLog();
    const ones = Array.from({ length: 60 }, () => enqueue('q', { payload: 'x'.repeat(100_000) }));
    const results = patient.log.append(ones);
    await until('a stored event', async () => (patient.server.log.ordinary.length > 0 ? true : null));
    patient.server.cut();
    expect((await results).map(({ kind }) => kind)).toEqual(ones.map(() => 'appended'));
    await patient.close();
  });

  it('survives an answer that comes after the connection of another client was lost', async () => {
    let release!: () => void;
    const answered = new Promise<void>((resolve) => (release = resolve));
    fixture.server.faults.planAppend({ kind: 'hold', until: answered });
    const one = enqueue('q');
    const held = append(one);
    const other = await openLog(TIMES);
    await other.log.append([enqueue('q')]);
    other.server.cut();
    expect(await held).toMatchObject({ kind: 'appended', revision: 0 });
    release();
    expect(await append(enqueue('q'))).toMatchObject({ kind: 'appended' });
    expect(await read(one.stream)).toHaveLength(1);
    await other.close();
  });

  it('recovers after the server was unavailable for a while', async () => {
    await append(enqueue('q'));
    await fixture.server.stop();
    const later = append(enqueue('q'));
    await fixture.server.resume();
    expect(await later).toMatchObject({ kind: 'appended' });
  });

  it('fails as unavailable if the server stays unavailable', async () => {
    const away = await openLog({ ...TIMES, retryMs: 100 });
    await away.server.stop();
    await expect(away.log.append([enqueue('q')])).rejects.toThrow(EventStoreUnavailable);
    await away.close();
  });

  it.each(['initializing', 'unknown', 'resigning', 'busy', 'read-only', 'leaderless'] as const)(
    'waits for a server that does not accept appends yet (%s), and is stored once',
    async (state) => {
      fixture.server.state = state;
      const one = enqueue('q');
      const stored = append(one);
      await until('a refused append', async () => (fixture.server.refused > 0 ? true : null));
      expect(fixture.server.log.ordinary).toEqual([]);
      fixture.server.state = 'leader';
      expect(await stored).toMatchObject({ kind: 'appended', revision: 0 });
      expect(await read(one.stream)).toHaveLength(1);
    },
  );

  it.each(['initializing', 'unknown', 'busy', 'leaderless'] as const)(
    'fails as unavailable if the server stays unready (%s)',
    async (state) => {
      const brief = await openLog({ ...TIMES, retryMs: 100 });
      brief.server.state = state;
      await expect(brief.log.append([enqueue('q')])).rejects.toThrow(EventStoreUnavailable);
      await brief.close();
    },
  );

  it('that the server recognises but cannot show yet is answered once it is readable', async () => {
    fixture.server.faults.planAppend({ kind: 'unplaced' });
    expect(await append(enqueue('q'))).toMatchObject({ kind: 'appended', revision: 0 });
  });

  it('with a value that JSON cannot represent fails before the client gets it', async () => {
    const one = enqueue('q', { payload: 1n as unknown as number });
    await expect(append(one)).rejects.toThrow('BigInt');
    await expect(append(item(one.stream, NO_STREAM, [{ ...enqueued('q'), data: undefined as never }]))).rejects.toThrow(
      'to have data',
    );
    expect(await append(enqueue('q'))).toMatchObject({ kind: 'appended' });
  });

  it('that is larger than the server accepts is refused alone', async () => {
    const large = enqueue('q', { payload: 'x'.repeat(1024 * 1024) });
    const results = await fixture.log.append([enqueue('q'), large, enqueue('q')]);
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'refused', 'appended']);
    expect(results[1]).toMatchObject({
      constraint: 'too-large',
      bytes: expect.closeTo(1_048_800, -3),
      limit: 1_048_576,
    });
  });

  it('that is larger than a message may be is refused before it is sent', async () => {
    const large = enqueue('q', { payload: 'x'.repeat(16 * 1024 * 1024) });
    const results = await fixture.log.append([enqueue('q'), large, enqueue('q')]);
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'refused', 'appended']);
    expect(results[1]).toMatchObject({
      constraint: 'too-large',
      bytes: expect.closeTo(16_777_500, -3),
      limit: 1_048_576,
    });
  });

  it('works on a server without batch appends', async () => {
    const classic = await openLog({ batchAppend: false });
    const one = enqueue('q');
    expect((await classic.log.append([one]))[0]).toMatchObject({ kind: 'appended', revision: 0 });
    expect((await classic.log.append([item(one.stream, NO_STREAM, [enqueued('q')])]))[0]).toEqual({
      kind: 'conflict',
      actual: 0,
    });
    await classic.close();
  });
});

describe('an account that loses a right', () => {
  const certificate = selfSigned();
  const file = inFile(certificate);
  let server: EventStoreDbFixture;

  beforeEach(async () => {
    const accounts = { admin: { password: 'changeit' }, ann: { password: 'of-ann' } };
    server = await EventStoreDbFixture.start({ certificate, accounts });
    fixture = await openLog({ ...TIMES, on: server, url: `${server.urlFor('ann')}&tlsCAFile=${file}` });
  });
  afterEach(() => server.stop());
  afterAll(() => rm(dirname(file), { recursive: true }));

  it('is logged once for operators, and callers get an unavailable store at once', async () => {
    const told = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    server.log.append('$settings', 'any', [settings({ $userStreamAcl: { $r: '$admins', $w: '$admins' } })]);
    const one = enqueue('q');
    const right =
      /Expected the account of EVENT_STORE_URL to have the right to append to 'task-.*', but the store denies it$/;
    await expect(append(one)).rejects.toThrow(right);
    await expect(append(one)).rejects.toThrow(EventStoreUnavailable);
    await expect(append(one)).rejects.toThrow(EventStoreUnavailable);
    expect(told.mock.calls).toEqual([[expect.stringMatching(right)]]);
    await expect(fixture.log.readStreams([one.stream])).rejects.toThrow("to have the right to read 'task-");
    await expect(fixture.log.head()).rejects.toThrow("to have the right to read '$all', but the store denies it");
    told.mockRestore();
  });
});

describe('reading', () => {
  beforeEach(async () => {
    fixture = await openLog();
  });

  it('leaves no call open on the server, even if it stops early', async () => {
    await append(
      item(
        taskStream(uuidv7()),
        NO_STREAM,
        Array.from({ length: 2_000 }, () => enqueued('q')),
      ),
    );
    expect(await fixture.log.readAll(0n, 5)).toHaveLength(5);
    await until('only the append call to be open', async () => (fixture.server.openCalls === 1 ? true : null));
  });

  it('many streams at once stays within the calls of a connection', async () => {
    const ones = Array.from({ length: 150 }, () => enqueue('q'));
    await fixture.log.append(ones);
    const streams = await fixture.log.readStreams(ones.map(({ stream }) => stream));
    expect(streams.every((events) => events.length === 1)).toBe(true);
  });

  it('cannot begin between two events, and fails', async () => {
    const { position } = (await append(enqueue('q'))) as { readonly position: bigint };
    await append(enqueue('q'));
    expect(await fixture.log.canReadAfter(position)).toBe(true);
    expect(await fixture.log.canReadAfter(position + 1n)).toBe(false);
    await fixture.server.stop();
    await expect(fixture.log.canReadAfter(position + 1n)).rejects.toThrow(EventStoreUnavailable);
  });

  it('skips the events of other programs and a deleted stream', async () => {
    const one = enqueue('q');
    await append(one);
    fixture.server.log.append('other-1', 'any', [
      {
        id: randomUUID(),
        type: 'X',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: Buffer.from(''),
      },
    ]);
    expect((await fixture.log.readAll(0n, 10)).map(({ stream }) => stream)).toEqual([one.stream]);
    expect(await fixture.log.head()).toBe((await read(one.stream))[0]!.position);
    const stored = fixture.server.log.ordinary[0]!.stream;
    fixture.server.log.tombstone(stored, 'any');
    expect(await read(one.stream)).toEqual([]);
  });

  it('finds the head behind many events of other programs, which the server leaves out', async () => {
    const { position } = (await append(enqueue('q'))) as { readonly position: bigint };
    writeAsOthers(fixture.server, OTHERS);
    expect(await sending(BESIDES, () => fixture.log.head())).toBe(position);
    writeAsOthers(fixture.server, OTHERS);
    expect(await sending(BESIDES, () => fixture.log.head())).toBe(position);
    const restarted = await openLog({ on: fixture.server, prefix: fixture.prefix });
    expect(await sending(BESIDES, () => restarted.log.head())).toBe(position);
    const { position: next } = (await append(enqueue('q'))) as { readonly position: bigint };
    writeAsOthers(fixture.server, OTHERS);
    expect(await sending(BESIDES, () => restarted.log.head())).toBe(next);
    await restarted.close();
  });

  it('costs as much as there are events of ours, however many others wrote', async () => {
    const ones = await appendAmongOthers(OWN);
    const most = OWN + BESIDES;
    expect(await sending(most, () => scanAll({}))).toEqual(ones);
    expect(await sending(most, () => scanAll({ actor: 'nobody' }))).toEqual([]);
    expect(streamsOf(await sending(most, () => fixture.log.readAll(0n, 10_000)))).toEqual(ones);
    const [before, later] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    expect(await sending(most, () => fixture.log.positionBefore(before!))).toBe(0n);
    expect(await sending(BESIDES, () => fixture.log.positionBefore(later!))).toBe(await fixture.log.head());
  });

  it('does not look for a time before the store was named', async () => {
    const { server } = fixture;
    writeAsOthers(server, OTHERS);
    const prefix = 'shop.';
    server.log.append(`${prefix}waybill-store`, 'any', [{ ...FOREIGN, id: randomUUID() }]);
    const { log, close } = await openLog({ on: server, prefix, since: server.log.all.at(-1)!.position });
    await log.append([enqueue('q')]);
    const { looked } = server;
    expect(await log.positionBefore(new Date(0).toISOString())).toBe(0n);
    await until('the server to have ended its calls', async () => (server.openCalls <= 1 ? true : null));
    expect(server.looked - looked).toBeLessThan(OTHERS);
    await close();
  });

  it('tells how far it came where there is nothing of ours, and can go on from there', async () => {
    const { position } = (await append(enqueue('q'))) as { readonly position: bigint };
    writeAsOthers(fixture.server, OTHERS);
    await append(enqueue('q'));
    const upTo = fixture.server.log.all.at(-2)!.position;
    const { events, reached } = await fixture.log.scan({ after: position, upTo }, 1, {});
    expect([events, reached, await fixture.log.canReadAfter(reached)]).toEqual([[], upTo, true]);
  });

  it('does not scan events from before the store was named', async () => {
    const { server } = fixture;
    writeAsOthers(server, OTHERS);
    const { log, close } = await openLog({ ...TIMES, on: server, since: server.log.all.at(-1)!.position });
    const { sent } = server;
    expect(await log.head()).toBe(0n);
    expect(await log.readAll(0n, 10)).toEqual([]);
    expect(server.sent - sent).toBeLessThan(OTHERS / 2);
    await close();
  });

  it.each(['initializing', 'busy'] as const)(
    'fails as unavailable if the server is not ready for reads (%s)',
    async (state) => {
      fixture.server.state = state;
      await expect(fixture.log.readStreams([taskStream(uuidv7())])).rejects.toThrow(EventStoreUnavailable);
      await expect(fixture.log.head()).rejects.toThrow(/it says: 14 UNAVAILABLE: Server Is (Not Ready|Too Busy)/);
    },
  );

  it('fails as unavailable if the server does not answer', async () => {
    await fixture.server.stop();
    await expect(fixture.log.readStreams([taskStream(uuidv7())])).rejects.toThrow(EventStoreUnavailable);
  });
});

describe('a subscription', () => {
  let stop: AbortController;
  beforeEach(async () => {
    fixture = await openLog({ watchMs: 50 });
    stop = new AbortController();
  });
  afterEach(() => stop.abort());

  const follow = (options: Partial<SubscribeOptions> = {}) =>
    fixture.log.subscribe(0n, { signal: stop.signal, heartbeatMs: 20, ...options })[Symbol.asyncIterator]();

  async function take(events: AsyncIterator<readonly RecordedEvent[]>, count: number): Promise<string[]> {
    const streams: string[] = [];
    while (streams.length < count) {
      const { value, done } = await events.next();
      if (done) break;
      streams.push(...(value as readonly RecordedEvent[]).map(({ stream }) => stream));
    }
    return streams;
  }

  it('continues at the same place after a lost connection', async () => {
    const ones = Array.from({ length: 30 }, () => enqueue('q'));
    const events = follow({ batchSize: 4 });
    await fixture.log.append(ones.slice(0, 10));
    const seen = await take(events, 4);
    fixture.server.cut();
    await fixture.log.append(ones.slice(10, 20));
    seen.push(...(await take(events, 16)));
    await fixture.server.stop();
    await fixture.server.resume();
    await fixture.log.append(ones.slice(20));
    seen.push(...(await take(events, 10)));
    const stored = fixture.server.log.ordinary.map(({ stream }) => stream.slice(stream.indexOf('.') + 1));
    expect(seen).toEqual(stored);
    expect(seen).toHaveLength(30);
  });

  it('that falls silent while the log grows is replaced', async () => {
    const events = follow();
    const [before, after] = [enqueue('q'), enqueue('q')];
    await append(before);
    await take(events, 1);
    fixture.server.faults.silenceSubscriptions();
    await append(after);
    expect(await take(events, 1)).toEqual([after.stream]);
  });

  it('that got no event which its checkpoints have passed is replaced, though others write', async () => {
    await fixture.close();
    fixture = await openLog({ watchMs: 500 });
    const events = follow();
    const [before, skipped] = [enqueue('q'), enqueue('q')];
    await append(before);
    await take(events, 1);
    fixture.server.faults.skipEvent(() => true);
    await append(skipped);
    let streams: string[] = [];
    for (let beats = 0; streams.length === 0 && beats < 100; beats++) {
      // Enough for a checkpoint, which says that the server is at work.
      writeAsOthers(fixture.server, SEARCH_WINDOW + 1);
      streams = streamsOf((await events.next()).value as readonly RecordedEvent[]);
    }
    expect(streams).toEqual([skipped.stream]);
  });

  it('that is silent while the log does not grow is kept', async () => {
    const events = follow();
    await append(enqueue('q'));
    await take(events, 1);
    const { subscriptions } = fixture.server.opened;
    for (let beats = 0; beats < 10; beats++) expect((await events.next()).value).toEqual([]);
    // Reading the head only opened reads, which have ended. The subscription is still the same one.
    expect(fixture.server.opened.subscriptions).toBe(subscriptions);
  });

  it('does not scan events of other programs again after a lost connection', async () => {
    const events = follow();
    writeAsOthers(fixture.server, 640);
    // There is no event of ours after this, so only the server's checkpoints move the subscription.
    await until('the subscription to begin behind what others wrote', async () => {
      expect((await events.next()).value).toEqual([]);
      fixture.server.cut();
      return fixture.server.opened.from.at(-1)! > 0n || null;
    });
    const one = enqueue('q');
    await append(one);
    expect(await take(events, 1)).toEqual([one.stream]);
  });

  it('receives an event that a checkpoint had passed before the connection was lost', async () => {
    const events = follow();
    const [before, passed] = [enqueue('q'), enqueue('q')];
    await append(before);
    await take(events, 1);
    fixture.server.faults.passEvent();
    await append(passed);
    expect(await take(events, 1)).toEqual([passed.stream]);
  });

  it('receives all events, where checkpoints pass them and the connection breaks', async () => {
    await fixture.close();
    fixture = await openLog({ release: '24.6.0', breaksEvery: 3 });
    const events = follow();
    const { passes } = fixture.server;
    const streams: string[] = [];
    for (let nth = 0; nth < 3 || passes.broken < 2; nth++) {
      const one = enqueue('q');
      await append(one);
      streams.push(...(await take(events, 1)));
      expect(streams.at(-1)).toBe(one.stream);
    }
    expect(passes.passed).toBeGreaterThanOrEqual(6);
  });

  it('leaves out an event that the server sends again, and tells of it', async () => {
    const told: object[] = [];
    await fixture.close();
    fixture = await openLog({ onRepeated: (event) => told.push(event) });
    const events = follow();
    const [repeated, after] = [enqueue('q'), enqueue('q')];
    fixture.server.faults.repeatEvent(({ stream }) => stream.endsWith(repeated.stream));
    const { position } = (await append(repeated)) as { readonly position: bigint };
    await append(after);
    expect(await take(events, 2)).toEqual([repeated.stream, after.stream]);
    expect(told).toEqual([{ stream: repeated.stream, revision: 0, position }]);
  });

  it('leaves out of a read what the server sends again', async () => {
    const told: object[] = [];
    await fixture.close();
    fixture = await openLog({ onRepeated: (event) => told.push(event) });
    const ones = [enqueue('q'), enqueue('q')] as const;
    for (const one of ones) await append(one);
    fixture.server.faults.repeatEvent(({ stream }) => stream.endsWith(ones[0].stream));
    expect(streamsOf(await fixture.log.readAll(0n, 10))).toEqual(streamsOf(ones));
    expect(told).toMatchObject([{ stream: ones[0].stream }]);
  });

  it('yields the events of one append together', async () => {
    const events = follow({ batchSize: 1 });
    const both = item(taskStream(uuidv7()), NO_STREAM, [
      enqueued('q'),
      { type: 'TaskReleased', version: 1, data: { queue: 'q', by: 'x' } },
    ]);
    await append(both);
    let page: readonly RecordedEvent[] = [];
    while (page.length === 0) page = (await events.next()).value as readonly RecordedEvent[];
    expect(page.map(({ more }) => more ?? false)).toEqual([true, false]);
  });

  it('ends on the server when its reader leaves', async () => {
    const events = follow();
    await append(enqueue('q'));
    await take(events, 1);
    const { openCalls } = fixture.server;
    await events.return!();
    await until('a call less to be open', async () => (fixture.server.openCalls < openCalls ? true : null));
  });

  it('uses no call that reads need, however many subscriptions there are', async () => {
    const one = enqueue('q');
    await append(one);
    const all = Array.from({ length: 170 }, () => follow({ heartbeatMs: 60_000 }));
    for (const events of all) expect(await take(events, 1)).toEqual([one.stream]);
    expect(await read(one.stream)).toHaveLength(1);
    stop.abort();
    await Promise.all(all.map((events) => events.next()));
  });
});
