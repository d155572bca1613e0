import * as grpc from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppendFault } from './faults.js';
import { WRITE_TIMEOUT_MS } from './flights.js';
import type { Append, Expected, NewEvent, Written, WrittenTogether } from './fixture-log.js';
import { type Node, type NotHandled, notHandled, whyNot } from './node.js';
import { bytesOf, expectedOf, type Failure, failure, proposed, streamDeleted, streamName } from './wire.js';

export const MAX_APPEND_BYTES = 1024 * 1024;

type NotWritten =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'none' }
  | { readonly kind: 'not handled'; readonly reason: NotHandled };

export type Outcome = Written | NotWritten | { readonly kind: 'too large' | 'denied' };

/** Stores the events if the node accepts them and no fault is planned. `none`: the call must not be answered. */
export async function write(
  node: Node,
  metadata: grpc.Metadata,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
): Promise<Outcome> {
  if (events.reduce((sum, event) => sum + bytesOf(event), 0) > MAX_APPEND_BYTES) return { kind: 'too large' };
  const reason = whyNot(node, 'write', metadata);
  if (reason) node.refused += 1;
  if (reason === 'forwarded') return { kind: 'timeout' };
  if (reason) return { kind: 'not handled', reason };
  const fault = node.faults.takeForAppend(stream);
  const first = events.slice(0, 1);
  if (node.flights.meets(first)) return lateTimeOut();
  const store = (): Promise<Written> => node.flights.store(first, () => node.log.append(stream, expected, events));
  return fault === null ? store() : withFault(fault, store);
}

const LEADER_ONLY = new grpc.Metadata();
LEADER_ONLY.set('requires-leader', 'true');

export type SessionOutcome = WrittenTogether | NotWritten;

/**
 * The same for appends to several streams, which only the leader takes. A fault that is planned for one of the streams is
 * that of all.
 */
export async function writeSession(node: Node, appends: readonly Append[]): Promise<SessionOutcome> {
  const reason = whyNot(node, 'write', LEADER_ONLY);
  if (reason) node.refused += 1;
  if (reason) return { kind: 'not handled', reason };
  node.sessions += 1;
  const fault = node.faults.takeForAppend(...appends.map(({ stream }) => stream));
  const first = appends.map(({ events }) => events[0]!);
  if (node.flights.meets(first)) return lateTimeOut();
  const store = (): Promise<WrittenTogether> => node.flights.store(first, () => node.log.appendTogether(appends));
  return fault === null ? store() : withFault(fault, store);
}

async function lateTimeOut(): Promise<{ readonly kind: 'timeout' }> {
  await delay(WRITE_TIMEOUT_MS);
  return { kind: 'timeout' };
}

async function withFault<W extends { readonly kind: string }>(
  fault: AppendFault,
  write: () => Promise<W>,
): Promise<W | { readonly kind: 'timeout' | 'none' }> {
  if (fault.kind === 'timeout') return { kind: 'timeout' };
  if (fault.kind === 'lose') return { kind: 'none' };
  if (fault.kind === 'hold') await fault.until;
  const written = await write();
  if (fault.kind === 'unplaced' && written.kind === 'written' && 'revision' in written)
    return { ...written, position: null };
  return fault.kind === 'drop' ? { kind: 'none' } : written;
}

export type AppendCall = grpc.ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** Streams.Append: options first, then messages, one answer. A conflict is an answer, not a status. */
export async function append(
  node: Node,
  call: AppendCall,
  answer: grpc.sendUnaryData<streams.AppendResp>,
): Promise<void> {
  const [options, events] = await contentOf(call);
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedOf(options, options.getRevision());
  const denied = node.access.refuse(call.metadata, 'write', stream);
  if (denied) return answer(denied);
  const outcome = await write(node, call.metadata, stream, expected, events);
  if (outcome.kind === 'none') return;
  if (outcome.kind === 'written') return answer(null, new streams.AppendResp().setSuccess(success(outcome)));
  if (outcome.kind === 'wrong')
    return answer(null, new streams.AppendResp().setWrongExpectedVersion(wrong(expected, outcome)));
  answer(failureOf(outcome, stream));
}

async function contentOf(call: AppendCall): Promise<readonly [streams.AppendReq.Options, NewEvent[]]> {
  let options: streams.AppendReq.Options | undefined;
  const events: NewEvent[] = [];
  for await (const request of call as AsyncIterable<streams.AppendReq>) {
    if (request.hasOptions()) options = request.getOptions();
    else events.push(proposed(request.getProposedMessage()!));
  }
  return [options!, events];
}

type Refused = Exclude<Outcome, { readonly kind: 'written' } | { readonly kind: 'wrong' } | { readonly kind: 'none' }>;

function failureOf(outcome: Refused, stream: string): Failure {
  if (outcome.kind === 'not handled') return notHandled(outcome.reason);
  if (outcome.kind === 'deleted') return streamDeleted(stream);
  if (outcome.kind === 'timeout') return failure(grpc.status.ABORTED, 'Operation timed out: Prepare phase timeout');
  return failure(grpc.status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });
}

type Done = Extract<Written, { readonly kind: 'written' }>;
type Wrong = Extract<Written, { readonly kind: 'wrong' }>;

function success({ revision, position }: Done): streams.AppendResp.Success {
  const message = new streams.AppendResp.Success();
  if (revision === null) message.setNoStream(new shared.Empty());
  else message.setCurrentRevision(revision.toString());
  if (position === null) return message.setNoPosition(new shared.Empty());
  const at = position.toString();
  return message.setPosition(new streams.AppendResp.Position().setCommitPosition(at).setPreparePosition(at));
}

/** Also sets the fields that clients before 20.6.0 read. */
function wrong(expected: Expected, { current }: Wrong): streams.AppendResp.WrongExpectedVersion {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (current === null) message.setCurrentNoStream(new shared.Empty()).setNoStream2060(new shared.Empty());
  else message.setCurrentRevision(current.toString()).setCurrentRevision2060(Number(current));
  const empty = new shared.Empty();
  if (expected === 'any') return message.setExpectedAny(empty).setAny2060(empty);
  if (expected === 'stream_exists') return message.setExpectedStreamExists(empty).setStreamExists2060(empty);
  if (expected === 'no_stream') return message.setExpectedNoStream(empty);
  return message.setExpectedRevision(expected.toString()).setExpectedRevision2060(Number(expected));
}

export type DeleteCall = grpc.ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>;
export type TombstoneCall = grpc.ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>;

/** Streams.Delete: the stream can be written again afterwards. */
export function softDelete(node: Node, call: DeleteCall, answer: grpc.sendUnaryData<streams.DeleteResp>): void {
  const done = remove(node, call, (stream, expected) => node.log.delete(stream, expected));
  if (typeof done !== 'bigint') return answer(done);
  const position = new streams.DeleteResp.Position().setCommitPosition(`${done}`).setPreparePosition(`${done}`);
  answer(null, new streams.DeleteResp().setPosition(position));
}

/** Streams.Tombstone: the stream's name cannot be used again. */
export function tombstone(node: Node, call: TombstoneCall, answer: grpc.sendUnaryData<streams.TombstoneResp>): void {
  const done = remove(node, call, (stream, expected) => node.log.tombstone(stream, expected));
  if (typeof done !== 'bigint') return answer(done);
  const position = new streams.TombstoneResp.Position().setCommitPosition(`${done}`).setPreparePosition(`${done}`);
  answer(null, new streams.TombstoneResp().setPosition(position));
}

type Removal = (stream: string, expected: Expected) => Written;

/** The position of the removal's own event, or why it was refused. */
function remove(node: Node, { request, metadata }: DeleteCall | TombstoneCall, removal: Removal): bigint | Failure {
  const options = request.getOptions()!;
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedOf(options, options.getRevision());
  const denied = node.access.refuse(metadata, 'delete', stream);
  if (denied) return denied;
  const reason = whyNot(node, 'write', metadata);
  if (reason) return notHandled(reason);
  const outcome = removal(stream, expected);
  if (outcome.kind === 'written') return outcome.position!;
  return outcome.kind === 'deleted' ? streamDeleted(stream) : conflictOf(stream, expected, outcome);
}

const NUMBERS = { any: -2n, no_stream: -1n, stream_exists: -4n };

function conflictOf(stream: string, expected: Expected, { current }: Wrong): Failure {
  const [wanted, actual] = [typeof expected === 'bigint' ? expected : NUMBERS[expected], current ?? -1n];
  const versions = `Expected version: ${wanted}, Actual version: ${actual}`;
  const details = `Delete failed due to WrongExpectedVersion. Stream: ${stream}, ${versions}`;
  return failure(grpc.status.FAILED_PRECONDITION, details, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(wanted),
    'actual-version': String(actual),
  });
}
