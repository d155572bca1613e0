import * as grpc from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendFault, Faults } from './faults.js';
import type { Expected, FixtureLog, NewEvent, Written } from './fixture-log.js';
import { bytesOf, expectedOf, failure, proposed, streamDeleted, streamName } from './wire.js';

export const MAX_APPEND_BYTES = 1024 * 1024;

export type Outcome =
  Written | { readonly kind: 'too-large' } | { readonly kind: 'timeout' } | { readonly kind: 'none' };

/** Stores the events as far as no fault is planned for them; `none`: nobody is to be answered. */
export async function writeWithFaults(
  log: FixtureLog,
  faults: Faults,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
): Promise<Outcome> {
  if (events.reduce((sum, event) => sum + bytesOf(event), 0) > MAX_APPEND_BYTES) return { kind: 'too-large' };
  const fault = faults.takeForAppend(stream);
  if (fault === null) return log.append(stream, expected, events);
  return withFault(fault, () => log.append(stream, expected, events));
}

async function withFault(fault: AppendFault, write: () => Written): Promise<Outcome> {
  if (fault.kind === 'timeout') return { kind: 'timeout' };
  if (fault.kind === 'lose') return { kind: 'none' };
  if (fault.kind === 'hold') await fault.until;
  const written = write();
  return fault.kind === 'drop' ? { kind: 'none' } : written;
}

export type AppendCall = grpc.ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** Streams.Append: options first, then messages, answered once. A conflict is an answer, not a status. */
export async function append(
  log: FixtureLog,
  faults: Faults,
  call: AppendCall,
  answer: grpc.sendUnaryData<streams.AppendResp>,
): Promise<void> {
  let options: streams.AppendReq.Options | undefined;
  const events: NewEvent[] = [];
  for await (const request of call as AsyncIterable<streams.AppendReq>) {
    if (request.hasOptions()) options = request.getOptions();
    else events.push(proposed(request.getProposedMessage()!));
  }
  const stream = streamName(options!.getStreamIdentifier());
  const expected = expectedOf(options!, options!.getRevision());
  const outcome = await writeWithFaults(log, faults, stream, expected, events);
  if (outcome.kind === 'none') return;
  if (outcome.kind === 'written') return answer(null, new streams.AppendResp().setSuccess(success(outcome)));
  if (outcome.kind === 'wrong')
    return answer(null, new streams.AppendResp().setWrongExpectedVersion(wrong(expected, outcome)));
  answer(failureOf(outcome.kind, stream));
}

function failureOf(kind: 'deleted' | 'too-large' | 'timeout', stream: string): ReturnType<typeof failure> {
  if (kind === 'deleted') return streamDeleted(stream);
  if (kind === 'timeout') return failure(grpc.status.ABORTED, 'Operation timed out');
  return failure(grpc.status.INVALID_ARGUMENT, 'Maximum append size exceeded', {
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

function wrong(expected: Expected, { current }: Wrong): streams.AppendResp.WrongExpectedVersion {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (current === null) message.setCurrentNoStream(new shared.Empty());
  else message.setCurrentRevision(current.toString());
  if (expected === 'any') message.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new shared.Empty());
  else message.setExpectedRevision(expected.toString());
  return message;
}

export type DeleteCall = grpc.ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>;
export type TombstoneCall = grpc.ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>;

/** Streams.Delete: the stream can be written again. */
export function softDelete(log: FixtureLog, call: DeleteCall, answer: grpc.sendUnaryData<streams.DeleteResp>): void {
  const options = call.request.getOptions()!;
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedOf(options, options.getRevision());
  const outcome = log.delete(stream, expected);
  if (outcome.kind !== 'written') return answer(conflictOf(stream, expected, outcome));
  const at = outcome.position!.toString();
  const position = new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at);
  answer(null, new streams.DeleteResp().setPosition(position));
}

/** Streams.Tombstone: the stream's name is spent for ever. */
export function tombstone(
  log: FixtureLog,
  call: TombstoneCall,
  answer: grpc.sendUnaryData<streams.TombstoneResp>,
): void {
  const options = call.request.getOptions()!;
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedOf(options, options.getRevision());
  const outcome = log.tombstone(stream, expected);
  if (outcome.kind !== 'written') return answer(conflictOf(stream, expected, outcome));
  const at = outcome.position!.toString();
  const position = new streams.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at);
  answer(null, new streams.TombstoneResp().setPosition(position));
}

function conflictOf(stream: string, expected: Expected, outcome: Exclude<Written, Done>): ReturnType<typeof failure> {
  if (outcome.kind === 'deleted') return streamDeleted(stream);
  return failure(grpc.status.FAILED_PRECONDITION, 'Wrong expected version', {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(
      typeof expected === 'bigint' ? expected : { any: -2, no_stream: -1, stream_exists: -4 }[expected],
    ),
    'actual-version': String(outcome.current ?? -1n),
  });
}
