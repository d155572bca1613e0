import * as grpc from '@grpc/grpc-js';
import status from '@eventstore/db-client/generated/status_pb.js';
import errors from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/errors_pb.js';
import v2 from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import type { Append, Expected, NewEvent } from './fixture-log.js';
import type { Node } from './node.js';
import { type Failure, failure } from './wire.js';
import { type SessionOutcome, writeSession } from './writing.js';

export type SessionCall = grpc.ServerReadableStream<v2.AppendRequest, v2.AppendSessionResponse>;

/** The most bytes of a record and of a session, as servers have them by default. */
export interface SessionLimits {
  readonly record: number;
  readonly session: number;
}

/** StreamsService.AppendSession of protocol v2: appends to several streams, all of which are stored or none. */
export async function appendSession(
  node: Node,
  limits: SessionLimits,
  call: SessionCall,
  answer: grpc.sendUnaryData<v2.AppendSessionResponse>,
): Promise<void> {
  const requests = await requestsOf(call).catch(() => null);
  if (requests === null) return; // the client has left
  const denied = requests.map((one) => node.access.refuse(call.metadata, 'write', one.getStream())).find(Boolean);
  const refused = denied ?? problemIn(requests, limits);
  if (refused) return answer(refused);
  const appends = requests.map(appendOf);
  const outcome = await writeSession(node, appends);
  if (outcome.kind === 'none') return;
  if (outcome.kind !== 'written') return answer(failureOf(outcome, appends));
  const output = appends.map(({ stream }, at) =>
    new v2.AppendResponse().setStream(stream).setStreamRevision(String(outcome.revisions[at])),
  );
  answer(null, new v2.AppendSessionResponse().setOutputList(output).setPosition(String(outcome.position)));
}

async function requestsOf(call: SessionCall): Promise<v2.AppendRequest[]> {
  const requests: v2.AppendRequest[] = [];
  for await (const request of call as AsyncIterable<v2.AppendRequest>) requests.push(request);
  return requests;
}

const NUMBERS = new Map<bigint, Expected>([
  [-1n, 'no_stream'],
  [-2n, 'any'],
  [-4n, 'stream_exists'],
]);

function appendOf(request: v2.AppendRequest): Append {
  const number = request.hasExpectedRevision() ? BigInt(request.getExpectedRevision()!) : -2n;
  const events = request.getRecordsList().map(eventOf);
  return { stream: request.getStream(), expected: NUMBERS.get(number) ?? number, events };
}

/** Readers of the older protocol see the record's properties as metadata in JSON, with its schema among them. */
function eventOf(record: v2.AppendRecord): NewEvent {
  const schema = record.getSchema()!;
  const isJson = schema.getFormat() === v2.SchemaFormat.SCHEMA_FORMAT_JSON;
  const properties = { ...propertiesOf(record), '$schema.name': schema.getName(), '$schema.format': 'Json' };
  return {
    id: record.getRecordId()!,
    type: schema.getName(),
    contentType: isJson ? 'application/json' : 'application/octet-stream',
    metadata: Buffer.from(JSON.stringify(isJson ? properties : { ...properties, '$schema.format': 'Bytes' })),
    data: record.getData_asU8(),
  };
}

function propertiesOf(record: v2.AppendRecord): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  record.getPropertiesMap().forEach((value, key) => (properties[key] = value.toJavaScript()));
  return properties;
}

/** What a server finds before it looks at the streams, in the order of the requests. */
function problemIn(requests: readonly v2.AppendRequest[], limits: SessionLimits): Failure | null {
  if (requests.length === 0)
    return failure(grpc.status.FAILED_PRECONDITION, 'Append session started, but no append requests were sent.');
  const streams = new Set<string>();
  let size = 0;
  for (const request of requests) {
    const stream = request.getStream();
    if (request.getRecordsList().length === 0) return invalid('must contain at least one record');
    if (streams.has(stream.toLowerCase())) return twice(stream);
    streams.add(stream.toLowerCase());
    for (const record of request.getRecordsList()) {
      const bytes = sizeOf(record);
      if (bytes > limits.record) return recordTooLarge(stream, record.getRecordId()!, bytes, limits.record);
      if ((size += bytes) > limits.session) return sessionTooLarge(size, limits.session);
    }
  }
  return null;
}

const sizeOf = (record: v2.AppendRecord): number =>
  record.getData_asU8().length +
  Buffer.byteLength(JSON.stringify(propertiesOf(record))) +
  Buffer.byteLength(record.getSchema()!.getName());

function failureOf(outcome: Refused, appends: readonly Append[]): Failure {
  switch (outcome.kind) {
    case 'wrong':
      return conflict(appends[outcome.at]!, outcome.current);
    case 'deleted':
      return tombstoned(appends[outcome.at]!.stream);
    // The server cannot say which stream it was, and fails to say so.
    case 'mixed':
      return failure(
        grpc.status.INTERNAL,
        'AppendSession failed to map error: Index was outside the bounds of the array.',
      );
    case 'timeout':
      return failure(
        grpc.status.DEADLINE_EXCEEDED,
        'Operation timed out: AppendSession timed out while waiting for commit',
      );
    case 'not handled':
      return notHandledHere(outcome.reason);
  }
}

type Refused = Exclude<SessionOutcome, { readonly kind: 'written' } | { readonly kind: 'none' }>;

function notHandledHere(reason: Extract<Refused, { kind: 'not handled' }>['reason']): Failure {
  if (reason === 'not ready')
    return failure(grpc.status.UNAVAILABLE, 'The server is not yet ready to handle requests.');
  if (reason === 'too busy') return failure(grpc.status.UNAVAILABLE, 'The server is currently overloaded.');
  if (reason === 'forwarded') return failure(grpc.status.DEADLINE_EXCEEDED, 'Operation timed out: forwarding');
  const where = reason === 'no leader' ? '' : ` at ${reason.address}:${reason.port}`;
  return failure(grpc.status.FAILED_PRECONDITION, `The server is not the leader node. Please retry${where}`);
}

const invalid = (reason: string): Failure =>
  failure(grpc.status.INVALID_ARGUMENT, `The 'AppendRequest' is invalid: Stream append request ${reason}`);

const twice = (stream: string): Failure =>
  detailed(
    grpc.status.ABORTED,
    `Stream '${stream}' is already part of this append session.`,
    'StreamAlreadyInAppendSessionErrorDetails',
    new errors.StreamAlreadyInAppendSessionErrorDetails().setStream(stream),
  );

const recordTooLarge = (stream: string, id: string, size: number, most: number): Failure =>
  detailed(
    grpc.status.INVALID_ARGUMENT,
    `The size of record ${id} exceeds the maximum allowed size`,
    'AppendRecordSizeExceededErrorDetails',
    new errors.AppendRecordSizeExceededErrorDetails().setStream(stream).setRecordId(id).setSize(size).setMaxSize(most),
  );

const sessionTooLarge = (size: number, most: number): Failure =>
  detailed(
    grpc.status.ABORTED,
    `Transaction size (${size}) exceeded the maximum allowed size of ${most}`,
    'AppendTransactionSizeExceededErrorDetails',
    new errors.AppendTransactionSizeExceededErrorDetails().setSize(size).setMaxSize(most),
  );

const tombstoned = (stream: string): Failure =>
  detailed(
    grpc.status.FAILED_PRECONDITION,
    `Stream '${stream}' has been tombstoned.`,
    'StreamTombstonedErrorDetails',
    new errors.StreamTombstonedErrorDetails().setStream(stream),
  );

const EXPECTED = { any: -2n, no_stream: -1n, stream_exists: -4n };

function conflict({ stream, expected }: Append, current: bigint | null): Failure {
  const [wanted, actual] = [typeof expected === 'bigint' ? expected : EXPECTED[expected], current ?? -1n];
  return detailed(
    grpc.status.FAILED_PRECONDITION,
    `Append failed due to a revision conflict on stream '${stream}'. Expected revision: ${wanted}. Actual revision: ${actual}.`,
    'StreamRevisionConflictErrorDetails',
    new errors.StreamRevisionConflictErrorDetails()
      .setStream(stream)
      .setExpectedRevision(`${wanted}`)
      .setActualRevision(`${actual}`),
  );
}

const DETAILS = 'kurrentdb.protocol.v2.streams.errors';

function detailed(
  code: grpc.status,
  message: string,
  name: string,
  details: { serializeBinary(): Uint8Array },
): Failure {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), `${DETAILS}.${name}`);
  const whole = new status.Status()
    .setCode(code as number as 0)
    .setMessage(message)
    .setDetails(packed);
  return failure(code, message, { 'grpc-status-details-bin': Buffer.from(whole.serializeBinary()) });
}
