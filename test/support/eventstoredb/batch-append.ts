import type * as grpc from '@grpc/grpc-js';
import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Faults } from './faults.js';
import type { Expected, FixtureLog, NewEvent } from './fixture-log.js';
import { expectedOf, identifier, proposed, streamName } from './wire.js';
import { MAX_APPEND_BYTES, type Outcome, writeWithFaults } from './writing.js';

export type BatchCall = grpc.ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/** The server waits this long for an append's last chunk, whatever the client's deadline. */
const WRITE_TIMEOUT_MS = 2_000;

interface Assembly {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: NewEvent[];
  readonly timer: NodeJS.Timeout;
}

/** Streams.BatchAppend: one long call; chunks are put together by correlation id, each append is answered when it is stored. */
export class BatchAppends {
  private readonly open = new Map<string, Assembly>();

  constructor(
    private readonly log: FixtureLog,
    private readonly faults: Faults,
    private readonly call: BatchCall,
  ) {}

  run(): void {
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
    this.answer(id, stream, await writeWithFaults(this.log, this.faults, stream, expected, events));
  }

  /** False where the client's deadline has passed on arrival. */
  private begin(id: string, options: streams.BatchAppendReq.Options): boolean {
    const stream = streamName(options.getStreamIdentifier());
    const leftMs = options.getDeadline()!.toDate().getTime() - Date.now();
    if (leftMs <= 0) {
      this.answer(id, stream, { kind: 'timeout' });
      return false;
    }
    const timer = setTimeout(() => this.timeOut(id), Math.min(leftMs, WRITE_TIMEOUT_MS));
    this.open.set(id, { stream, expected: expectedOf(options, options.getStreamPosition()), events: [], timer });
    return true;
  }

  private timeOut(id: string): void {
    const { stream } = this.open.get(id)!;
    this.forget(id);
    this.answer(id, stream, { kind: 'timeout' });
  }

  private forget(id: string): void {
    clearTimeout(this.open.get(id)?.timer);
    this.open.delete(id);
  }

  private forgetAll(): void {
    for (const id of this.open.keys()) this.forget(id);
  }

  private answer(id: string, stream: string, outcome: Outcome): void {
    if (outcome.kind === 'none' || this.call.cancelled || this.call.writableEnded) return;
    const response = new streams.BatchAppendResp()
      .setCorrelationId(new shared.UUID().setString(id))
      .setStreamIdentifier(identifier(stream));
    if (outcome.kind === 'written') response.setSuccess(success(outcome));
    else response.setError(problem(stream, outcome));
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

type Problem = Exclude<Outcome, { readonly kind: 'written' | 'none' }>;

/** The client looks at the name of the details only. */
function problem(stream: string, outcome: Problem): status.Status {
  const [number, message, details, name] = explain(stream, outcome);
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), `event_store.client.${name}`);
  return new status.Status().setCode(number).setMessage(message).setDetails(packed);
}

type Explained = readonly [code.Code, string, { serializeBinary(): Uint8Array }, string];

function explain(stream: string, outcome: Problem): Explained {
  switch (outcome.kind) {
    case 'wrong': {
      const details = new shared.WrongExpectedVersion();
      if (outcome.current === null) details.setCurrentNoStream(new empty.Empty());
      else details.setCurrentStreamRevision(outcome.current.toString());
      return [code.Code.ALREADY_EXISTS, 'WrongExpectedVersion', details, 'WrongExpectedVersion'];
    }
    case 'deleted': {
      const details = new shared.StreamDeleted().setStreamIdentifier(identifier(stream));
      return [code.Code.NOT_FOUND, 'StreamDeleted', details, 'StreamDeleted'];
    }
    case 'timeout':
      return [code.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout(), 'Timeout'];
    case 'too-large': {
      const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
      return [code.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details, 'MaximumAppendSizeExceeded'];
    }
  }
}
