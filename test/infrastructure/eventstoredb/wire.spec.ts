import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import v2 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { NO_STREAM } from '../../../src/application/kernel/event-store.port.js';
import { clientAt } from '../../../src/infrastructure/eventstoredb/log/clients/client-at.js';
import { appendRequest } from '../../../src/infrastructure/eventstoredb/log/clients/kurrent/append-request.js';
import { batchAppend } from '../../../src/infrastructure/eventstoredb/log/clients/wire/batch-append.js';
import { eventAnswer } from '../../../src/infrastructure/eventstoredb/log/clients/wire/read-event.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import type { NewEvent } from '../../support/eventstoredb/fixture-log.js';
import type { StoredEvent } from '../../support/eventstoredb/stored-stream.js';
import * as wire from '../../support/eventstoredb/wire.js';

type Answer = Pick<streams.ReadResp, 'hasEvent' | 'getEvent'>;

const TEXT = fc.string({ unit: 'binary' });
const NUMBER = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
const CONTENT = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const EVENT: fc.Arbitrary<StoredEvent> = fc.record({
  id: fc.uuid(),
  stream: TEXT,
  type: TEXT,
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  created: fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
  revision: NUMBER,
  position: NUMBER,
  metadata: CONTENT,
  data: CONTENT,
}) as fc.Arbitrary<never>;

/** The generated code's maps lose a value that is named '__proto__'. */
const NAME = TEXT.filter((name) => name !== '__proto__');
const METADATA = fc.dictionary(NAME, fc.oneof(TEXT, fc.integer(), fc.boolean(), fc.record({ id: TEXT })));

const bytesOf = (answer: streams.ReadResp): Buffer => Buffer.from(answer.serializeBinary());
const read = (answer: Answer | null): unknown => convertGrpcEvent(answer!.getEvent()!);

/** Bytes and dates as texts, to compare what both decode. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one)));

const lengthOf = ({ length }: Buffer): Buffer =>
  length < 128 ? Buffer.from([length]) : Buffer.from([(length & 127) | 128, length >> 7]);

const inText = ({ data, metadata, ...event }: NewEvent) => ({
  ...event,
  metadata: Buffer.from(metadata).toString(),
  data: Buffer.from(data).toString(),
});

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

const eventOf = (record: v2.AppendRecord) => {
  const metadata: [string, unknown][] = [];
  record.getPropertiesMap().forEach((value, key) => metadata.push([key, value.toJavaScript()]));
  const [type, format] = [record.getSchema()!.getName(), record.getSchema()!.getFormat()];
  return {
    id: record.getRecordId(),
    type,
    format,
    data: Buffer.from(record.getData_asU8()).toString(),
    metadata: metadata.sort(byName),
  };
};

const asStored = ({ id, type, data, metadata }: { id: string; type: string; data: object; metadata: object }) => ({
  id,
  type,
  format: v2.SchemaFormat.SCHEMA_FORMAT_JSON,
  data: JSON.stringify(data),
  metadata: Object.entries(metadata)
    .map(([name, value]): [string, unknown] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
    .sort(byName),
});

describe('an answer to a read', () => {
  it('has the event that the generated code finds in it', () =>
    fc.assert(
      fc.property(EVENT, (event) => {
        const answer = wire.readEvent(event);
        const ours = eventAnswer(bytesOf(answer)) as Answer;
        expect(ours.hasEvent()).toBe(true);
        expect(plain(read(ours))).toEqual(plain(read(streams.ReadResp.deserializeBinary(bytesOf(answer)))));
      }),
    ));

  it('is left to the generated code if it is no event, a link, or has an id of numbers', () => {
    const [event] = fc.sample(EVENT, 1);
    const numbered = wire.readEvent(event!);
    const id = new shared.UUID().setStructured(new shared.UUID.Structured().setLeastSignificantBits('7'));
    numbered.getEvent()!.getEvent()!.setId(id);
    const others = [wire.confirmation('x'), wire.caughtUp(), wire.checkpoint(7n), wire.streamNotFound('x')];
    for (const answer of [...others, wire.readEvent(event!, event!), wire.readEvent(null, event!), numbered])
      expect(eventAnswer(bytesOf(answer))).toBeNull();
    expect(eventAnswer(Buffer.alloc(0))).toBeNull();
  });

  it('that is cut off is refused, wherever it is cut', () => {
    const whole = bytesOf(wire.readEvent(fc.sample(EVENT, 1)[0]!));
    for (let length = 1; length < whole.length; length += 1)
      expect(() => eventAnswer(whole.subarray(0, length))).toThrow(RangeError);
  });

  it('may have fields that nobody knows', () => {
    const [event] = fc.sample(EVENT, 1);
    const inner = Buffer.from(wire.readEvent(event!).getEvent()!.serializeBinary());
    const [number, eight, text, four] = [
      'f8ff03ffffffffffffffffff01',
      'f9ff030102030405060708',
      'faff0302aabb',
      'fdff0301020304',
    ];
    const unknown = Buffer.from(number! + eight! + text! + four!, 'hex');
    const body = Buffer.concat([unknown, inner, unknown]);
    const answer = Buffer.concat([Buffer.from([10]), lengthOf(body), body]);
    expect(plain(read(eventAnswer(answer) as Answer))).toEqual(plain(read(streams.ReadResp.deserializeBinary(answer))));
    expect(() => eventAnswer(Buffer.concat([Buffer.from([10, 1, 0x0b])]))).toThrow(RangeError);
  });
});

it('an append of a session is written as the generated code writes it', () =>
  fc.assert(
    fc.property(
      TEXT,
      fc.integer({ min: NO_STREAM, max: 2 ** 40 }),
      fc.array(fc.record({ id: fc.uuid(), type: TEXT, data: fc.dictionary(TEXT, fc.jsonValue()), metadata: METADATA })),
      (stream, expected, events) => {
        const read = v2.AppendRequest.deserializeBinary(appendRequest({ stream, expected, events }));
        expect(read.getStream()).toBe(stream);
        expect(read.getExpectedRevision()).toBe(String(expected));
        expect(read.getRecordsList().map(eventOf)).toEqual(events.map(asStored));
      },
    ),
  ));

it('a single append is written as the generated code writes it', () =>
  fc.assert(
    fc.property(
      TEXT,
      fc.integer({ min: NO_STREAM, max: 2 ** 40 }),
      fc.array(fc.record({ id: fc.uuid(), type: TEXT, data: fc.dictionary(TEXT, fc.jsonValue()), metadata: METADATA })),
      (stream, expected, events) => {
        const read = streams.BatchAppendReq.deserializeBinary(
          batchAppend('id', { stream, expected, events }, 1_700_000_000),
        );
        const options = read.getOptions()!;
        expect(read.getCorrelationId()!.getString()).toBe('id');
        expect(read.getIsFinal()).toBe(true);
        expect(wire.streamName(options.getStreamIdentifier())).toBe(stream);
        expect(options.getDeadline()!.toObject()).toEqual({ seconds: 1_700_000_000, nanos: 0 });
        expect(wire.expectedOf(options, options.getStreamPosition())).toBe(
          expected === NO_STREAM ? 'no_stream' : BigInt(expected),
        );
        expect(read.getProposedMessagesList().map(wire.proposed).map(inText)).toEqual(
          events.map(({ id, type, data, metadata }) => ({
            id,
            type,
            contentType: 'application/json',
            metadata: JSON.stringify(metadata),
            data: JSON.stringify(data),
          })),
        );
      },
    ),
  ));

describe('a client at an older and a newer server', () => {
  let server: EventStoreDbFixture;
  afterEach(async () => {
    jest.restoreAllMocks();
    await server.stop();
  });

  it('leaves only answers without events to the generated code', async () => {
    const generated = jest.spyOn(services.StreamsService.read, 'responseDeserialize');
    server = await EventStoreDbFixture.start({ scheme: 'esdb' });
    const client = clientAt(server.url);
    const events = [1, 2, 3].map((n) => ({ id: randomUUID(), type: 'Counted', data: { n } }));
    await client.append('numbers', NO_STREAM, events);
    const found = await client.readStream('numbers').toArray();
    expect(found.map(({ event }: { event: { data: unknown } }) => event.data)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(generated.mock.results.map(({ value }) => (value as streams.ReadResp).hasEvent())).not.toContain(true);
    await client.close();
  });
});
