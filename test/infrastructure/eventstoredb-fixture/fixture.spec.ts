import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  type EventData,
  FORWARDS,
  jsonEvent,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  streamNameFilter,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';

let fixture: EventStoreDbFixture;
let client: EventStoreDBClient;
let stream: string;

beforeAll(async () => {
  fixture = await EventStoreDbFixture.start();
  client = EventStoreDBClient.connectionString(fixture.url);
});
afterAll(async () => {
  await client.dispose();
  await fixture.stop();
});
beforeEach(() => {
  stream = `s-${randomUUID()}`;
});

const event = (n: number, id = randomUUID()): EventData =>
  jsonEvent({ id, type: 'Counted', data: { n }, metadata: { by: 'x' } });
const events = (count: number): EventData[] => Array.from({ length: count }, (_, n) => event(n));

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

const numbers = async (options: Parameters<EventStoreDBClient['readStream']>[1] = {}): Promise<number[]> =>
  (await collect(client.readStream(stream, options))).map((resolved) => (resolved.event!.data as { n: number }).n);

describe.each([
  ['in batches', true],
  ['one by one', false],
])('appends %s', (_, batchAppend) => {
  let other: EventStoreDbFixture;
  let one: EventStoreDBClient;

  beforeAll(async () => {
    other = await EventStoreDbFixture.start({ batchAppend });
    one = EventStoreDBClient.connectionString(other.url);
  });
  afterAll(async () => {
    await one.dispose();
    await other.stop();
  });

  it('answers the last revision and its position', async () => {
    const first = await one.appendToStream(stream, events(2), { expectedRevision: NO_STREAM });
    const second = await one.appendToStream(stream, event(2), { expectedRevision: 1n });
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(second.nextExpectedRevision).toBe(2n);
    expect(second.position!.commit).toBeGreaterThan(first.position!.commit + 1n);
  });

  it('refuses another revision than the stream has', async () => {
    await one.appendToStream(stream, events(2));
    for (const expectedRevision of [NO_STREAM, 0n, 7n] as const) {
      await expect(one.appendToStream(stream, event(9), { expectedRevision })).rejects.toMatchObject({
        type: 'wrong-expected-version',
        actualVersion: 1n,
      });
    }
    await expect(one.appendToStream(`${stream}x`, event(9), { expectedRevision: 3n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
  });

  it('answers a repeat by the ids of its events, and stores it once', async () => {
    const both = events(2);
    const first = await one.appendToStream(stream, both, { expectedRevision: NO_STREAM });
    await one.appendToStream(stream, event(3), { expectedRevision: 1n });
    const again = await one.appendToStream(stream, both, { expectedRevision: NO_STREAM });
    expect(again).toEqual(first);
    expect(await one.appendToStream(stream, both, { expectedRevision: ANY })).toEqual(first);
    await expect(
      one.appendToStream(stream, [both[0]!, event(9)], { expectedRevision: NO_STREAM }),
    ).rejects.toMatchObject({ type: 'wrong-expected-version' });
  });

  it('refuses more than a mebibyte', async () => {
    const large = jsonEvent({ type: 'Large', data: { text: 'x'.repeat(1024 * 1024) } });
    await expect(one.appendToStream(stream, large)).rejects.toMatchObject({ type: 'maximum-append-size-exceeded' });
  });

  it('takes an append in many chunks', async () => {
    const chunks = await one.appendToStream(stream, events(20), { batchAppendSize: 400 });
    expect(chunks.nextExpectedRevision).toBe(19n);
  });
});

describe('reading a stream', () => {
  it('gives back what was stored', async () => {
    const stored = event(1);
    await client.appendToStream(stream, stored);
    const [resolved] = await collect(client.readStream(stream));
    expect(resolved!.event).toMatchObject({ id: stored.id, type: 'Counted', data: { n: 1 }, metadata: { by: 'x' } });
    expect(resolved!.event).toMatchObject({ streamId: stream, revision: 0n, isJson: true });
    expect(resolved!.event!.created.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('begins and ends where it is told, in both directions', async () => {
    await client.appendToStream(stream, events(5));
    expect(await numbers({ fromRevision: 2n, maxCount: 2 })).toEqual([2, 3]);
    expect(await numbers({ direction: BACKWARDS, fromRevision: END, maxCount: 2 })).toEqual([4, 3]);
    expect(await numbers({ direction: BACKWARDS, fromRevision: 1n })).toEqual([1, 0]);
    expect(await numbers({ fromRevision: 9n })).toEqual([]);
  });

  it('says where there is none', async () => {
    await expect(numbers()).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('stops sending to a reader that does not read', async () => {
    for (let n = 0; n < 10; n++) await client.appendToStream(stream, events(2_000));
    const { sent } = fixture;
    const reading = client.readStream(stream);
    await new Promise((resolve) => reading.once('readable', resolve));
    await client.appendToStream(`${stream}-2`, event(1)); // a round trip behind it
    expect(fixture.sent - sent).toBeLessThan(5_000);
    await reading.cancel();
  });
});

describe('deletion', () => {
  it('forgets a soft-deleted stream, and goes on with its numbers', async () => {
    await client.appendToStream(stream, events(3));
    await client.deleteStream(stream, { expectedRevision: 2n });
    await expect(numbers()).rejects.toMatchObject({ type: 'stream-not-found' });
    await expect(client.appendToStream(stream, event(9), { expectedRevision: STREAM_EXISTS })).rejects.toMatchObject({
      type: 'stream-deleted',
    });
    expect(await client.appendToStream(stream, event(7), { expectedRevision: NO_STREAM })).toMatchObject({
      nextExpectedRevision: 3n,
    });
    expect(await numbers()).toEqual([7]);
  });

  it('deletes only at the expected revision', async () => {
    await client.appendToStream(stream, events(3));
    await expect(client.deleteStream(stream, { expectedRevision: 0n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 2n,
    });
    await expect(client.deleteStream(`${stream}x`)).rejects.toMatchObject({ type: 'wrong-expected-version' });
  });

  it('ends a tombstoned stream for ever', async () => {
    await client.appendToStream(stream, events(1));
    await client.tombstoneStream(stream);
    await expect(numbers()).rejects.toMatchObject({ type: 'stream-deleted' });
    await expect(client.appendToStream(stream, event(1))).rejects.toMatchObject({ type: 'stream-deleted' });
  });

  it('shows what the metadata lets it show', async () => {
    await client.appendToStream(stream, events(5));
    await client.setStreamMetadata(stream, { maxCount: 2 });
    expect(await numbers()).toEqual([3, 4]);
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    expect((await client.getStreamMetadata(stream)).metadata).toMatchObject({ truncateBefore: 1 });
    await client.setStreamMetadata(stream, { maxAge: 0 });
    expect((await numbers()).length).toBeLessThan(6);
  });
});

describe('reading $all', () => {
  it('includes its start forwards and excludes it backwards', async () => {
    const appended = await client.appendToStream(stream, events(3));
    const from = { fromPosition: appended.position! };
    const [at] = await collect(client.readAll({ ...from, direction: FORWARDS, maxCount: 1 }));
    const [before] = await collect(client.readAll({ ...from, direction: BACKWARDS, maxCount: 1 }));
    expect(at!.event).toMatchObject({ streamId: stream, revision: 2n });
    expect(before!.event).toMatchObject({ streamId: stream, revision: 1n });
  });

  it('shows metadata and tombstones too', async () => {
    await client.appendToStream(stream, events(1));
    await client.tombstoneStream(stream);
    await client.setStreamMetadata(`${stream}-2`, { maxCount: 1 });
    const last = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 2 }));
    expect(last.map((resolved) => resolved.event!.type)).toEqual(['$metadata', '$streamDeleted']);
  });
});

describe('subscriptions', () => {
  it('tell history, that they caught up, and what comes', async () => {
    await client.appendToStream(stream, events(2));
    const subscription = client.subscribeToStream(stream, { fromRevision: 0n });
    const told: string[] = [];
    subscription
      .on('confirmation', () => told.push('confirmation'))
      .on('caughtUp', () => {
        told.push('caught up');
        void client.appendToStream(stream, event(2));
      });
    for await (const { event: recorded } of subscription) {
      told.push(String(recorded!.revision));
      if (recorded!.revision === 2n) break;
    }
    await subscription.unsubscribe();
    expect(told).toEqual(['confirmation', '1', 'caught up', '2']);
  });

  it('filter $all by the beginning of the stream name, with checkpoints in between', async () => {
    const start = await client.appendToStream(`other-${stream}`, event(0));
    await client.appendToStream(`other-${stream}`, events(70));
    await client.appendToStream(stream, events(2));
    const checkpoints: bigint[] = [];
    const seen: bigint[] = [];
    const subscription = client.subscribeToAll({
      fromPosition: start.position!,
      filter: streamNameFilter({
        prefixes: [stream],
        maxSearchWindow: 10,
        checkpointReached: async (_, { commit }) => void checkpoints.push(commit),
      }),
    });
    subscription.on('data', ({ commitPosition }: { commitPosition?: bigint }) => seen.push(commitPosition!));
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    await subscription.unsubscribe();
    expect(seen).toHaveLength(2);
    expect(checkpoints.length).toBeGreaterThanOrEqual(7);
    expect(checkpoints).toEqual([...checkpoints].sort((a, b) => (a < b ? -1 : 1)));
    expect(checkpoints.at(-1)).toBeGreaterThanOrEqual(seen.at(-1)!);
  });

  it('filter $all by event type with a pattern', async () => {
    await client.appendToStream(stream, [event(1), jsonEvent({ type: `Rare-${stream}`, data: {} })]);
    const subscription = client.subscribeToAll({
      fromPosition: START,
      filter: { filterOn: 'eventType', regex: `^Rare-${stream}$`, checkpointInterval: 1, maxSearchWindow: 32 },
    });
    for await (const { event: recorded } of subscription) {
      expect(recorded!.type).toBe(`Rare-${stream}`);
      break;
    }
    await subscription.unsubscribe();
    expect.assertions(1);
  });

  it('end with an error when their stream is tombstoned', async () => {
    await client.appendToStream(stream, event(1));
    const subscription = client.subscribeToStream(stream);
    const ended = new Promise((resolve) => subscription.once('error', resolve));
    subscription.once('caughtUp', () => void client.tombstoneStream(stream));
    subscription.resume();
    expect(await ended).toMatchObject({ type: 'stream-deleted' });
  });
});

describe('faults', () => {
  const appended = async (): Promise<number> => (await collect(client.readStream(stream))).length;

  it('loses an append, or its answer', async () => {
    fixture.faults.planAppend({ kind: 'lose' }, (name) => name === stream);
    fixture.faults.planAppend({ kind: 'drop' }, (name) => name === stream);
    const unanswered = [event(1), event(2)].map((one) => client.appendToStream(stream, one));
    await client.appendToStream(stream, event(3));
    void Promise.allSettled(unanswered); // rejected when the client is disposed of
    expect(await numbers()).toEqual([2, 3]);
  });

  it('refuses an append for want of time', async () => {
    fixture.faults.planAppend({ kind: 'timeout' });
    await expect(client.appendToStream(stream, event(1))).rejects.toMatchObject({ type: 'deadline-exceeded' });
  });

  it('holds an append back while others pass', async () => {
    let release!: () => void;
    fixture.faults.planAppend({ kind: 'hold', until: new Promise<void>((resolve) => (release = resolve)) });
    const held = client.appendToStream(stream, event(1));
    await client.appendToStream(`${stream}-2`, event(2));
    release();
    await held;
    expect(await appended()).toBe(1);
  });

  it('cuts what is under way, and goes on', async () => {
    const subscription = client.subscribeToAll({ fromPosition: END });
    subscription.resume();
    const ended = new Promise((resolve) => subscription.once('error', resolve));
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    fixture.cut();
    expect(await ended).toMatchObject({ type: 'unavailable' });
    await client.appendToStream(stream, event(1));
    expect(await appended()).toBe(1);
  });

  it('comes back after a stop, with everything it had', async () => {
    const own = await EventStoreDbFixture.start();
    const other = EventStoreDBClient.connectionString(own.url);
    await other.appendToStream(stream, event(1));
    await own.stop();
    await expect(other.appendToStream(stream, event(2))).rejects.toBeDefined();
    await own.resume();
    await other.appendToStream(stream, event(3));
    expect(await collect(other.readStream(stream))).toHaveLength(2);
    await other.dispose();
    await own.stop();
  });

  it('silences a subscription without ending it', async () => {
    const subscription = client.subscribeToStream(stream);
    const seen: unknown[] = [];
    subscription.on('data', (one) => seen.push(one));
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    fixture.faults.silenceSubscriptions();
    await client.appendToStream(stream, event(1));
    for await (const one of client.subscribeToStream(stream)) {
      expect(one.event!.revision).toBe(0n);
      break;
    }
    expect(seen).toEqual([]);
    await subscription.unsubscribe();
  });
});

it('names itself the leader to clients that discover', async () => {
  const discovering = EventStoreDBClient.connectionString(fixture.url.replace('esdb://', 'esdb+discover://'));
  expect(await discovering.appendToStream(stream, event(1))).toMatchObject({ success: true });
  await discovering.dispose();
});
