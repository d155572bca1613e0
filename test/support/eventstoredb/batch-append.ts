import type * as grpc from '@grpc/grpc-js';
import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Expected, NewEvent } from './fixture-log.js';
import { WRITE_TIMEOUT_MS } from './flights.js';
import { type Node, notHandled } from './node.js';
import { expectedOf, identifier, proposed, streamName } from './wire.js';
import { MAX_APPEND_BYTES, type Outcome, write } from './writing.js';

export type BatchCall = grpc.ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

interface Asked {
  readonly stream: string;
  readonly expected: Expected;
}

interface Assembly extends Asked {
  readonly events: NewEvent[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Streams.BatchAppend: one long call. Chunks are assembled by correlation id, and each append is answered once it is
 * stored.
 */
export class BatchAppends {
  private readonly open = new Map<string, Assembly>();

  constructor(
    private readonly node: Node,
    private readonly call: BatchCall,
  ) {}

  run(): void {
    const unknown = this.node.access.unknown(this.call.metadata);
    if (unknown) return void this.call.emit('error', unknown);
    this.call.on('data', (request: streams.BatchAppendReq) => void this.take(request));
    this.call.on('end', () => this.call.end());
    this.call.on('close', () => this.forgetAll()).on('cancelled', () => this.forgetAll());
  }

  private async take(request: streams.BatchAppendReq): Promise<void> {
    const id = request.getCorrelationId()!.getString();
    if (request.hasOptions() && !this.begin(id, request.getOptions()!)) return;
    const assembly = this.open.get(id);
    if (!assembly) return; // timed out: later chunks are ignored
    assembly.events.push(...request.getProposedMessagesList().map(proposed));
    if (!request.getIsFinal()) return;
    this.forget(id);
    const { stream, expected, events } = assembly;
    this.answer(id, assembly, await write(this.node, this.call.metadata, stream, expected, events));
  }

  /** False if it is refused on arrival, because the account lacks the right or the client's deadline has passed. */
  private begin(id: string, options: streams.BatchAppendReq.Options): boolean {
    const stream = streamName(options.getStreamIdentifier());
    const expected = expectedOf(options, options.getStreamPosition());
    const leftMs = options.getDeadline()!.toDate().getTime() - Date.now();
    const isDenied = this.node.access.refuse(this.call.metadata, 'write', stream) !== null;
    if (isDenied || leftMs <= 0) {
      this.answer(id, { stream, expected }, { kind: isDenied ? 'denied' : 'timeout' });
      return false;
    }
    const timer = setTimeout(() => this.timeOut(id), Math.min(leftMs, WRITE_TIMEOUT_MS));
    this.open.set(id, { stream, expected, events: [], timer });
    return true;
  }

  private timeOut(id: string): void {
    const assembly = this.open.get(id)!;
    this.forget(id);
    this.answer(id, assembly, { kind: 'timeout' });
  }

  private forget(id: string): void {
    clearTimeout(this.open.get(id)?.timer);
    this.open.delete(id);
  }

  private forgetAll(): void {
    for (const id of this.open.keys()) this.forget(id);
  }

  private answer(id: string, asked: Asked, outcome: Outcome): void {
    if (outcome.kind === 'none' || this.call.cancelled || this.call.writableEnded) return;
    // The leader's address is an answer to the whole call.
    if (outcome.kind === 'not handled' && typeof outcome.reason !== 'string')
      return void this.call.emit('error', notHandled(outcome.reason));
    const response = new streams.BatchAppendResp()
      .setCorrelationId(new shared.UUID().setString(id))
      .setStreamIdentifier(identifier(asked.stream));
    if (outcome.kind === 'written') response.setSuccess(success(outcome));
    else response.setError(problem(asked, outcome));
    this.call.write(response);
  }
}

function success({ revision, position }: Extract<Outcome, { kind: 'written' }>): streams.BatchAppendResp.Success {
  const message = new streams.BatchAppendResp.Success();
  if (revision === null) message.setNoStream(new empty.Empty());
  else message.setCurrentRevision(revision.toString());
  if (position === null) return message.setNoPosition(new empty.Empty());
  const at = position.toString();
  return message.setPosition(new shared.AllStreamPosition().setCommitPosition(at).setPreparePosition(at));
}

type Problem = Exclude<Outcome, { readonly kind: 'written' } | { readonly kind: 'none' }>;

/** The client looks only at the name of the details. */
function problem(asked: Asked, outcome: Problem): status.Status {
  const [number, message, details, name] = explain(asked, outcome);
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), name);
  return new status.Status().setCode(number).setMessage(message).setDetails(packed);
}

type Explained = readonly [code.Code, string, { serializeBinary(): Uint8Array }, string];
const OURS = 'event_store.client';
/** The error texts of this call, which differ from those of the others. */
const NOT_HANDLED = {
  'not ready': 'Server Is Not Ready',
  'too busy': 'Server Is Busy',
  'no leader': 'No leader info available in response',
} as const;

function explain({ stream, expected }: Asked, outcome: Problem): Explained {
  switch (outcome.kind) {
    case 'wrong':
      return [
        code.Code.ALREADY_EXISTS,
        'WrongExpectedVersion',
        conflict(expected, outcome.current),
        `${OURS}.WrongExpectedVersion`,
      ];
    case 'deleted': {
      const details = new shared.StreamDeleted().setStreamIdentifier(identifier(stream));
      return [code.Code.NOT_FOUND, 'StreamDeleted', details, `${OURS}.StreamDeleted`];
    }
    case 'denied':
      return [code.Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied(), `${OURS}.AccessDenied`];
    case 'timeout':
      return [code.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout(), `${OURS}.Timeout`];
    case 'too large': {
      const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
      return [code.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details, `${OURS}.MaximumAppendSizeExceeded`];
    }
    case 'not handled': {
      const message = NOT_HANDLED[outcome.reason as keyof typeof NOT_HANDLED];
      return [code.Code.OK, message, new empty.Empty(), 'google.protobuf.Empty'];
    }
  }
}

function conflict(expected: Expected, current: bigint | null): shared.WrongExpectedVersion {
  const details = new shared.WrongExpectedVersion();
  if (current === null) details.setCurrentNoStream(new empty.Empty());
  else details.setCurrentStreamRevision(current.toString());
  if (expected === 'any') return details.setExpectedAny(new empty.Empty());
  if (expected === 'no_stream') return details.setExpectedNoStream(new empty.Empty());
  if (expected === 'stream_exists') return details.setExpectedStreamExists(new empty.Empty());
  return details.setExpectedStreamPosition(expected.toString());
}
