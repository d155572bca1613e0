import { type AppendStreamRequest, jsonEvent, KurrentDBClient, type JSONEventData } from '@kurrent/kurrentdb-client';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { until } from '../../support/until.js';
import { EventStoreDbFixture, type FixtureOptions } from '../../support/eventstoredb/fixture.js';

interface Opened {
  readonly server: EventStoreDbFixture;
  readonly client: KurrentDBClient;
  close(): Promise<void>;
}

async function open(options: FixtureOptions): Promise<Opened> {
  const server = await EventStoreDbFixture.start({ scheme: 'kurrentdb', ...options });
  const client = KurrentDBClient.connectionString(server.url);
  const close = async (): Promise<void> => {
    await client.dispose();
    await server.stop();
  };
  return { server, client, close };
}

const event = (n: number, metadata?: Record<string, string>): JSONEventData =>
  jsonEvent({ id: randomUUID(), type: 'Counted', data: { n }, ...(metadata && { metadata }) });

const to = (
  streamName: string,
  expectedState: AppendStreamRequest['expectedState'],
  ...events: JSONEventData[]
): AppendStreamRequest => ({ streamName, expectedState, events });

describe('a server of release 25.1.4', () => {
  let opened: Opened;
  let reader: EventStoreDBClient;
  let [one, other] = ['', ''];

  beforeAll(async () => {
    opened = await open({ release: '25.1.4', sessionLimits: { record: 2_000, session: 5_000 } });
    reader = EventStoreDBClient.connectionString(opened.server.url.replace('kurrentdb:', 'esdb:'));
  });
  afterAll(async () => {
    await reader.dispose();
    await opened.close();
  });
  beforeEach(() => {
    [one, other] = [`one-${randomUUID()}`, `other-${randomUUID()}`];
  });

  const append = (...requests: AppendStreamRequest[]) => opened.client.multiStreamAppend(requests);

  /** A server does not recognise an append that comes again within some milliseconds. */
  const recognised = () =>
    until('the server to recognise its appends', () => Promise.resolve(opened.server.flights.unknown === 0 || null));

  async function read(stream: string) {
    const events = [];
    for await (const { event: stored } of reader.readStream(stream)) events.push(stored!);
    return events;
  }

  it('stores appends to several streams together, in order', async () => {
    const { position, responses } = await append(to(one, 'no_stream', event(1), event(2)), to(other, 'any', event(3)));
    expect(responses).toEqual([
      { streamName: one, revision: 1n },
      { streamName: other, revision: 0n },
    ]);
    const stored = [...(await read(one)), ...(await read(other))];
    expect(stored.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(stored.at(-1)!.position!.commit).toBe(position);
  });

  it('shows properties as metadata in JSON, with the schema', async () => {
    await append(to(one, 'no_stream', event(1, { $correlationId: 'c', actor: 'x' })));
    const [stored] = await read(one);
    expect(stored!.metadata).toEqual({
      $correlationId: 'c',
      actor: 'x',
      '$schema.name': 'Counted',
      '$schema.format': 'Json',
    });
  });

  it('given one stream at another revision, stores nothing and names it', async () => {
    await append(to(one, 'no_stream', event(1)));
    await expect(append(to(other, 'no_stream', event(2)), to(one, 4n, event(3)))).rejects.toMatchObject({
      type: 'wrong-expected-version',
      streamName: one,
      expectedState: 4n,
      actualState: 0n,
    });
    await expect(read(other)).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('recognises a repetition as a whole', async () => {
    const requests = [to(one, 'no_stream', event(1)), to(other, 'no_stream', event(2))];
    const first = await append(...requests);
    await append(to(one, 0n, event(3)));
    await recognised();
    expect(await append(...requests)).toEqual(first);
    expect(await read(one)).toHaveLength(2);
  });

  it('cannot say what is wrong if some of the appends were stored before', async () => {
    const stored = to(one, 'no_stream', event(1));
    await append(stored);
    await recognised();
    await expect(append(stored, to(other, 'no_stream', event(2)))).rejects.toMatchObject({ type: 'unavailable' });
    await expect(read(other)).rejects.toMatchObject({ type: 'stream-not-found' });
  });

  it('refuses a session with a tombstoned stream', async () => {
    await append(to(one, 'no_stream', event(1)));
    await reader.tombstoneStream(one);
    await expect(append(to(other, 'any', event(2)), to(one, 'any', event(3)))).rejects.toMatchObject({
      type: 'stream-tombstoned',
    });
  });

  it('refuses a stream that comes twice, whatever its case', async () => {
    await expect(append(to('Cased', 'any', event(1)), to('cased', 'any', event(2)))).rejects.toMatchObject({
      code: 10,
    });
  });

  it('refuses a record or a session that is too large', async () => {
    const large = (bytes: number): JSONEventData =>
      jsonEvent({ id: randomUUID(), type: 'Large', data: { text: 'x'.repeat(bytes) } });
    await expect(append(to(one, 'any', large(2_001)))).rejects.toMatchObject({
      type: 'append-record-size-exceeded',
    });
    await expect(append(to(one, 'any', large(1_900), large(1_900), large(1_900)))).rejects.toMatchObject({
      type: 'transaction-max-size-exceeded',
    });
  });

  it('loses, times out or forgets to answer as planned for one of the streams', async () => {
    const { faults } = opened.server;
    faults.planAppend({ kind: 'timeout' }, (stream) => stream === other);
    const requests = [to(one, 'no_stream', event(1)), to(other, 'no_stream', event(2))];
    await expect(append(...requests)).rejects.toMatchObject({ type: 'deadline-exceeded' });
    faults.planAppend({ kind: 'drop' }, (stream) => stream === other);
    void append(...requests).catch(() => undefined);
    expect((await append(to(`${one}x`, 'no_stream', event(3)))).responses).toHaveLength(1);
    expect(await read(other)).toHaveLength(1);
  });
});

describe('a server of release 24.6.0', () => {
  it('does not know append sessions', async () => {
    const { client, server, close } = await open({ release: '24.6.0' });
    await expect(client.multiStreamAppend([to('one', 'any', event(1))])).rejects.toMatchObject({ type: 'unsupported' });
    expect(server.sessions).toBe(0);
    await close();
  });
});
