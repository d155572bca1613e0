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
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inFile, selfSigned } from '../../support/eventstoredb/certificate.js';
import { FixtureCluster } from '../../support/eventstoredb/cluster.js';
import { EventStoreDbFixture, type FixtureOptions } from '../../support/eventstoredb/fixture.js';
import type { NodeState } from '../../support/eventstoredb/node.js';

/** Whatever runs beside: this client does not know the other scheme, and what releases answer differently is in `releases.spec`. */
const RELEASE = '24.6.0';
const OF_THIS_CLIENT = { scheme: 'esdb', release: RELEASE } as const;

let fixture: EventStoreDbFixture;
let client: EventStoreDBClient;
let stream: string;

beforeAll(async () => {
  fixture = await EventStoreDbFixture.start(OF_THIS_CLIENT);
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

/** An error of the client, reduced to what distinguishes servers' answers. */
const whatItSays = (error: unknown): string => {
  const { type, message } = error as { readonly type?: string; readonly message: string };
  return type === undefined ? message : `${type}: ${message}`;
};

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
    other = await EventStoreDbFixture.start({ ...OF_THIS_CLIENT, batchAppend });
    one = EventStoreDBClient.connectionString(other.url);
  });
  afterAll(async () => {
    await one.dispose();
    await other.stop();
  });

  it('returns the last revision and its position', async () => {
    const first = await one.appendToStream(stream, events(2), { expectedRevision: NO_STREAM });
    const second = await one.appendToStream(stream, event(2), { expectedRevision: 1n });
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(second.nextExpectedRevision).toBe(2n);
    expect(second.position!.commit).toBeGreaterThan(first.position!.commit + 1n);
  });

  it('given another expected revision, refuses the append', async () => {
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

  it.each([
    [STREAM_EXISTS, '-none', 'no_stream', 'stream_exists'],
    [NO_STREAM, '', 1n, 'no_stream'],
    [3n, '', 1n, 3n],
    [3n, '-none', 'no_stream', 3n],
  ] as const)(
    'reports the expected revision (%s) and the actual one (stream%s: %s)',
    async (expectedRevision, suffix, actual, expected) => {
      await one.appendToStream(stream, events(2));
      await expect(one.appendToStream(stream + suffix, event(9), { expectedRevision })).rejects.toMatchObject({
        type: 'wrong-expected-version',
        streamName: stream + suffix,
        actualVersion: actual,
        expectedVersion: expected,
      });
    },
  );

  it('recognises a repetition by its event ids, and stores it once', async () => {
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

  it('refuses an append of more than a mebibyte', async () => {
    const large = jsonEvent({ type: 'Large', data: { text: 'x'.repeat(1024 * 1024) } });
    await expect(one.appendToStream(stream, large)).rejects.toMatchObject({ type: 'maximum-append-size-exceeded' });
  });

  it('accepts an append in many chunks', async () => {
    const chunks = await one.appendToStream(stream, events(20), { batchAppendSize: 400 });
    expect(chunks.nextExpectedRevision).toBe(19n);
  });
});

describe('reading a stream', () => {
  it('returns what was stored', async () => {
    const stored = event(1);
    await client.appendToStream(stream, stored);
    const [resolved] = await collect(client.readStream(stream));
    expect(resolved!.event).toMatchObject({ id: stored.id, type: 'Counted', data: { n: 1 }, metadata: { by: 'x' } });
    expect(resolved!.event).toMatchObject({ streamId: stream, revision: 0n, isJson: true });
    expect(resolved!.event!.created.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('honours start and count, in both directions', async () => {
    await client.appendToStream(stream, events(5));
    expect(await numbers({ fromRevision: 2n, maxCount: 2 })).toEqual([2, 3]);
    expect(await numbers({ direction: BACKWARDS, fromRevision: END, maxCount: 2 })).toEqual([4, 3]);
    expect(await numbers({ direction: BACKWARDS, fromRevision: 1n })).toEqual([1, 0]);
    expect(await numbers({ fromRevision: 9n })).toEqual([]);
  });

  it('reports an unknown stream', async () => {
    await expect(numbers()).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('stops sending if the reader does not read', async () => {
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
  it('hides the events of a soft-deleted stream, and continues its revisions', async () => {
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

  it('accepts a deletion only at the expected revision', async () => {
    await client.appendToStream(stream, events(3));
    await expect(client.deleteStream(stream, { expectedRevision: 0n })).rejects.toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 2n,
    });
    await expect(client.deleteStream(`${stream}x`)).rejects.toMatchObject({ type: 'wrong-expected-version' });
  });

  it('refuses reads and appends on a tombstoned stream', async () => {
    await client.appendToStream(stream, events(1));
    await client.tombstoneStream(stream);
    await expect(numbers()).rejects.toMatchObject({ type: 'stream-deleted' });
    await expect(client.appendToStream(stream, event(1))).rejects.toMatchObject({ type: 'stream-deleted' });
  });

  it('given stream metadata, returns only the events that it allows', async () => {
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
  it('includes the start position forwards and excludes it backwards', async () => {
    const appended = await client.appendToStream(stream, events(3));
    const from = { fromPosition: appended.position! };
    const [at] = await collect(client.readAll({ ...from, direction: FORWARDS, maxCount: 1 }));
    const [before] = await collect(client.readAll({ ...from, direction: BACKWARDS, maxCount: 1 }));
    expect(at!.event).toMatchObject({ streamId: stream, revision: 2n });
    expect(before!.event).toMatchObject({ streamId: stream, revision: 1n });
  });

  it('includes metadata and tombstones', async () => {
    await client.appendToStream(stream, events(1));
    await client.tombstoneStream(stream);
    await client.setStreamMetadata(`${stream}-2`, { maxCount: 1 });
    const last = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 2 }));
    expect(last.map((resolved) => resolved.event!.type)).toEqual(['$metadata', '$streamDeleted']);
  });
});

describe('subscriptions', () => {
  it('report the confirmation, existing events, that they caught up, and new events', async () => {
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

  it('filter $all by a prefix of the stream name, and report checkpoints', async () => {
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

  it('filter $all by a pattern for the event type', async () => {
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

  it('can lose an append or its answer', async () => {
    fixture.faults.planAppend({ kind: 'lose' }, (name) => name === stream);
    fixture.faults.planAppend({ kind: 'drop' }, (name) => name === stream);
    const unanswered = [event(1), event(2)].map((one) => client.appendToStream(stream, one));
    await client.appendToStream(stream, event(3));
    void Promise.allSettled(unanswered); // rejected when the client is disposed of
    expect(await numbers()).toEqual([2, 3]);
  });

  it('can refuse an append with a time-out', async () => {
    fixture.faults.planAppend({ kind: 'timeout' });
    await expect(client.appendToStream(stream, event(1))).rejects.toMatchObject({ type: 'deadline-exceeded' });
  });

  it('can hold back an append while others pass', async () => {
    let release!: () => void;
    fixture.faults.planAppend({ kind: 'hold', until: new Promise<void>((resolve) => (release = resolve)) });
    const held = client.appendToStream(stream, event(1));
    await client.appendToStream(`${stream}-2`, event(2));
    release();
    await held;
    expect(await appended()).toBe(1);
  });

  it('can cut calls in progress, and the server then works again', async () => {
    const subscription = client.subscribeToAll({ fromPosition: END });
    subscription.resume();
    const ended = new Promise((resolve) => subscription.once('error', resolve));
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    fixture.cut();
    expect(await ended).toMatchObject({ type: 'unavailable' });
    await client.appendToStream(stream, event(1));
    expect(await appended()).toBe(1);
  });

  it('can stop the server, which keeps its events', async () => {
    const own = await EventStoreDbFixture.start(OF_THIS_CLIENT);
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

  it('can silence a subscription without ending it', async () => {
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

describe('a node that cannot serve', () => {
  let node: EventStoreDbFixture;
  let one: EventStoreDBClient;
  afterEach(async () => {
    await one.dispose();
    await node.stop();
  });
  const starting = async (state: NodeState, options: FixtureOptions = {}): Promise<void> => {
    node = await EventStoreDbFixture.start({ ...OF_THIS_CLIENT, ...options });
    node.state = state;
    one = EventStoreDBClient.connectionString(node.url);
  };
  const append = (options: object = {}) => one.appendToStream(stream, event(1), options).catch(whatItSays);
  const readIt = () => collect(one.readStream(stream)).catch(whatItSays);
  const remove = () => one.deleteStream(stream).catch(whatItSays);
  const NOT_READY = 'unavailable: 14 UNAVAILABLE: Server Is Not Ready';
  const NO_LEADER = 'No leader info available in response';

  it.each([
    ['initializing', NOT_READY, 'unknown: Could not recognize Server Is Not Ready', NOT_READY],
    ['unknown', 'stream-not-found', 'unknown: Could not recognize Server Is Not Ready', NOT_READY],
    ['resigning', 'stream-not-found', 'unknown: Could not recognize Server Is Not Ready', NOT_READY],
    [
      'busy',
      'unavailable: 14 UNAVAILABLE: Server Is Too Busy',
      'unknown: Could not recognize Server Is Busy',
      'unavailable: 14 UNAVAILABLE: Server Is Too Busy',
    ],
    ['leaderless', 'stream-not-found', `unknown: Could not recognize ${NO_LEADER}`, `unknown: 2 UNKNOWN: ${NO_LEADER}`],
  ] as const)(
    'answers each kind of call with the error of a real node: %s',
    async (state, ofReads, ofAppends, ofOthers) => {
      await starting(state);
      expect(await readIt()).toContain(ofReads);
      expect(await append()).toBe(ofAppends);
      expect(await remove()).toBe(ofOthers);
      expect(node.log.ordinary).toEqual([]);
    },
  );

  it('answers with a status on the classic path', async () => {
    await starting('unknown', { batchAppend: false });
    expect(await append()).toBe(NOT_READY);
  });

  it('does not name itself the leader before there is one', async () => {
    await starting('initializing');
    const url = `${node.url.replace('esdb:', 'esdb+discover:')}&maxDiscoverAttempts=2&discoveryInterval=1`;
    const discovering = EventStoreDBClient.connectionString(url);
    await expect(discovering.appendToStream(stream, event(1))).rejects.toThrow('Failed to discover after 2 attempts.');
    node.state = 'leader';
    const again = EventStoreDBClient.connectionString(url);
    expect(await again.appendToStream(stream, event(1))).toMatchObject({ success: true });
    await Promise.all([discovering.dispose(), again.dispose()]);
  });
});

describe('several nodes', () => {
  let cluster: FixtureCluster;
  let one: EventStoreDBClient;
  beforeEach(async () => {
    cluster = await FixtureCluster.start(3, RELEASE, OF_THIS_CLIENT.scheme);
    one = EventStoreDBClient.connectionString(cluster.url);
  });
  afterEach(async () => {
    await one.dispose();
    await cluster.stop();
  });
  const at = (node: EventStoreDbFixture): EventStoreDBClient => EventStoreDBClient.connectionString(node.url);

  it('lead clients to the leader, and after its end to the next one', async () => {
    await one.appendToStream(stream, event(1));
    expect(cluster.leader.openCalls).toBe(1);
    const gone = await cluster.killLeader();
    expect(gone.isUp).toBe(false);
    const meanwhile = await one.appendToStream(stream, event(2)).catch(whatItSays);
    expect(meanwhile).toMatch(/UNAVAILABLE|CANCELLED|Failed to discover|Not Ready/);
    cluster.elect(cluster.nodes[1]!);
    const discovering = EventStoreDBClient.connectionString(cluster.url);
    await discovering.appendToStream(stream, event(3));
    expect(cluster.nodes[1]!.openCalls).toBe(1);
    expect(await collect(discovering.readStream(stream))).toHaveLength(2);
    await gone.resume();
    expect(gone.state).toBe('follower');
    await discovering.dispose();
  });

  it('forward an append to the leader, or name the leader if the client requires one', async () => {
    const follower = at(cluster.nodes[2]!);
    expect(await follower.appendToStream(stream, event(1))).toMatchObject({ success: true });
    const strict = at(cluster.nodes[2]!);
    await expect(strict.appendToStream(stream, event(2), { requiresLeader: true })).rejects.toMatchObject({
      type: 'not-leader',
      leader: cluster.leader.endPoint,
    });
    await expect(collect(follower.readStream(stream, { requiresLeader: true }))).rejects.toMatchObject({
      type: 'not-leader',
    });
    await Promise.all([follower.dispose(), strict.dispose()]);
  });

  it('name the leader to a client that appends to a read-only replica', async () => {
    cluster.nodes[2]!.state = 'read-only';
    const replica = at(cluster.nodes[2]!);
    await expect(replica.appendToStream(stream, event(1))).rejects.toMatchObject({
      type: 'not-leader',
      leader: cluster.leader.endPoint,
    });
    await replica.dispose();
  });
});

describe('a server with accounts', () => {
  const certificate = selfSigned();
  const file = inFile(certificate);
  const accounts = {
    admin: { password: 'changeit', groups: ['$admins'] },
    ann: { password: 'of-ann', groups: ['writers'] },
  };
  let server: EventStoreDbFixture;
  const clients: EventStoreDBClient[] = [];
  beforeAll(async () => {
    server = await EventStoreDbFixture.start({ ...OF_THIS_CLIENT, certificate, accounts });
  });
  afterAll(async () => {
    await Promise.all(clients.map((one) => one.dispose()));
    await server.stop();
    await rm(dirname(file), { recursive: true });
  });

  const as = (url: string): EventStoreDBClient => {
    const one = EventStoreDBClient.connectionString(`${url}&tlsCAFile=${file}`);
    clients.push(one);
    return one;
  };
  const everything = async (one: EventStoreDBClient): Promise<unknown[]> => [
    await one.appendToStream(stream, event(1)).then(() => 'done', whatItSays),
    await collect(one.readStream(stream)).then(() => 'done', whatItSays),
    await one.setStreamMetadata(stream, { maxCount: 9 }).then(() => 'done', whatItSays),
    await collect(one.readAll({ maxCount: 1 })).then(() => 'done', whatItSays),
    await collect(one.readStream('$users')).then(() => 'done', whatItSays),
  ];
  const DENIED = 'access-denied: 7 PERMISSION_DENIED: Access Denied';
  const UNKNOWN = 'access-denied: 16 UNAUTHENTICATED: Unauthenticated';

  it('allows an administrator everything, other users ordinary streams, and strangers nothing', async () => {
    expect(await everything(as(server.urlFor('admin')))).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(await everything(as(server.urlFor('ann')))).toEqual(['done', 'done', 'done', DENIED, DENIED]);
    const ofNobody = ['access-denied: ', DENIED, 'access-denied: ', DENIED, DENIED];
    expect(await everything(as(server.url))).toEqual(ofNobody);
    expect(await everything(as(server.urlFor('ann').replace('of-ann', 'x')))).toEqual(Array(5).fill(UNKNOWN));
  });

  it('checks the access list of the stream before that of the store', async () => {
    const [admin, ann] = [as(server.urlFor('admin')), as(server.urlFor('ann'))];
    await admin.setStreamMetadata(stream, { acl: { readRoles: ['readers'], writeRoles: ['writers', 'others'] } });
    expect((await everything(ann)).slice(0, 2)).toEqual(['done', DENIED]);
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'ann'] } });
    expect((await everything(ann))[3]).toBe('done');
    await expect(admin.appendToStream('$all', event(1))).rejects.toMatchObject({ type: 'access-denied' });
  });
});

describe('positions', () => {
  it('are offsets with gaps, equal for commit and prepare, and a read cannot begin between two events', async () => {
    const { position } = await client.appendToStream(stream, events(2));
    const [last, first] = await collect(client.readStream(stream, { direction: BACKWARDS, fromRevision: END }));
    expect(position).toEqual({ commit: last!.commitPosition, prepare: last!.commitPosition });
    expect(last!.commitPosition! - first!.commitPosition!).toBeGreaterThan(100n);
    const between = { commit: first!.commitPosition! + 1n, prepare: first!.commitPosition! + 1n };
    for (const direction of [FORWARDS, BACKWARDS] as const) {
      const reading = collect(client.readAll({ direction, fromPosition: between, maxCount: 1 }));
      expect(await reading.catch(whatItSays)).toBe('unknown: 2 UNKNOWN: Unexpected ReadAllResult: InvalidPosition');
    }
    const subscription = client.subscribeToAll({ fromPosition: between });
    const ended = new Promise((resolve) => subscription.once('error', resolve));
    subscription.resume();
    expect(whatItSays(await ended)).toBe('unknown: 3 INVALID_ARGUMENT: Trying to read from an invalid position.');
  });

  it("are shared with the server's own events", async () => {
    await client.appendToStream(stream, event(1));
    fixture.log.writeStatistics();
    await client.appendToStream(stream, event(2));
    const [first] = await collect(client.readAll({ maxCount: 1 }));
    expect(first!.event).toMatchObject({ streamId: '$$$stats-127.0.0.1:2113', type: '$metadata' });
    const last = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 3 }));
    expect(last.map((resolved) => resolved.event!.type)).toEqual(['Counted', '$statsCollected', 'Counted']);
  });
});

const LINK = { type: '$>', contentType: 'application/octet-stream', metadata: new Uint8Array() };

it('resolves a link to its event if the client asks for it', async () => {
  await client.appendToStream(stream, events(2));
  const links = [`1@${stream}`, '9@nowhere'].map((to) => ({ ...LINK, id: randomUUID(), data: Buffer.from(to) }));
  fixture.log.append(`links-${stream}`, 'any', links);
  const plain = await collect(client.readStream(`links-${stream}`));
  expect(plain.map((resolved) => [resolved.event?.type, resolved.link?.type])).toEqual([
    ['$>', undefined],
    ['$>', undefined],
  ]);
  const resolved = await collect(client.readStream(`links-${stream}`, { resolveLinkTos: true }));
  expect(resolved.map(({ event: to, link: from }) => [to?.streamId, to?.revision, from?.revision])).toEqual([
    [stream, 1n, 0n],
    [undefined, undefined, 1n],
  ]);
});

it('names itself the leader to clients that discover', async () => {
  const discovering = EventStoreDBClient.connectionString(fixture.url.replace('esdb://', 'esdb+discover://'));
  expect(await discovering.appendToStream(stream, event(1))).toMatchObject({ success: true });
  await discovering.dispose();
});
