import * as grpc from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected, NewEvent } from './fixture-log.js';
import type { StoredEvent } from './stored-stream.js';

type Proposed = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

export function proposed(message: Proposed): NewEvent {
  const about = message.getMetadataMap();
  return {
    id: message.getId()!.getString(),
    type: about.get('type')!,
    contentType: about.get('content-type')!,
    metadata: message.getCustomMetadata_asU8(),
    data: message.getData_asU8(),
  };
}

export const bytesOf = ({ data, metadata, type }: NewEvent): number => data.length + metadata.length + 2 * type.length;

export const streamName = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier!.getStreamName_asU8()).toString();

export const identifier = (stream: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(stream));

interface ExpectedFields {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

/** The expected revision of a request. */
export function expectedOf(options: ExpectedFields, revision: string): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : BigInt(revision);
}

/** `event` is null if `link` leads nowhere. */
export function readEvent(event: StoredEvent | null, link?: StoredEvent): streams.ReadResp {
  const position = (link ?? event!).position.toString();
  const read = new streams.ReadResp.ReadEvent().setCommitPosition(position);
  if (event) read.setEvent(recorded(event));
  if (link) read.setLink(recorded(link));
  return new streams.ReadResp().setEvent(read);
}

function recorded(event: StoredEvent): streams.ReadResp.ReadEvent.RecordedEvent {
  const message = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(event.revision.toString())
    .setCommitPosition(event.position.toString())
    .setPreparePosition(event.position.toString())
    .setCustomMetadata(event.metadata)
    .setData(event.data);
  const about = message.getMetadataMap();
  about.set('type', event.type).set('content-type', event.contentType).set('created', event.created);
  return message;
}

export const streamNotFound = (stream: string): streams.ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream)),
  );

export const confirmation = (id: string): streams.ReadResp =>
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id));

export const caughtUp = (): streams.ReadResp => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

export const checkpoint = (position: bigint): streams.ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(position.toString()).setPreparePosition(position.toString()),
  );

export type Failure = Error & {
  readonly code: grpc.status;
  readonly details: string;
  readonly metadata: grpc.Metadata;
};

/** A status with the trailers by which the client recognises the server's exceptions. */
export function failure(code: grpc.status, details: string, trailers: Record<string, string | Buffer> = {}): Failure {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export const streamDeleted = (stream: string): Failure =>
  failure(grpc.status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
