import { Injectable, Optional, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, defer, finalize, from, lastValueFrom, mergeMap, type Observable, of } from 'rxjs';
import { type Answer, headOf } from '../operations/answer.js';
import { callerFrom } from '../operations/caller.js';
import { type Arrived, type Call, checked } from '../operations/call.js';
import { namedIn, type PathParameters } from '../operations/subjects.js';
import { holderOf } from '../access/holder.js';
import { Tracing } from '../../application/kernel/tracing.port.js';
import { TaskQuota } from '../operations/task-quota.js';
import { operationNamed } from '../operations/operation.js';
import { Operations, type Result } from '../operations/operations.js';
import { ClientGone } from '../operations/client-gone.js';
import { QueueIds } from '../operations/queue-ids.js';
import { withOwnIds } from '../operations/stand-ins.js';
import { Scopes } from '../operations/scopes.js';
import type { EventPages, Streamed } from '../operations/stream-format.js';
import type { WaybillHttpAdapter } from './http-adapter.js';
import type { StreamGate } from './stream-gate.js';
import type { WaitingGate } from './waiting-gate.js';
import { textOfHeader } from '../input/header-text.js';
import { whenOver } from './when-over.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The checked call that the request makes; null on routes that are no operation. */
    call: Call | null;
    /** Aborts when what lasts must end, and when its client leaves; null on other routes. */
    ends: AbortSignal | null;
  }
}

type Request = FastifyRequest<{ Params: PathParameters }>;

/**
 * Connects HTTP to an operation: checks the request, passes the call to the controller's method, then performs the
 * method's result and answers with it.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor<Result, unknown> {
  constructor(
    private readonly operations: Operations,
    private readonly scopes: Scopes,
    private readonly server: HttpAdapterHost<WaybillHttpAdapter>,
    private readonly tasks: TaskQuota,
    @Optional() private readonly tracing?: Tracing,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Result>): Observable<unknown> {
    const [request, reply] = [
      context.switchToHttp().getRequest<Request>(),
      context.switchToHttp().getResponse<FastifyReply>(),
    ];
    const call = checked(operationNamed(context.getHandler().name), arrivedOver(request, reply));
    this.tasks.take(request.principal, call.operation.submits(call));
    request.ends = this.gateOf(call, request)?.admit(request, reply) ?? null;
    request.call = call;
    const handled =
      Scopes.isLimited(call) || QueueIds.areIn(call)
        ? defer(() => this.admit(request)).pipe(mergeMap(() => next.handle()))
        : next.handle();
    const sent = handled.pipe(
      mergeMap((result) => this.answer(request.call!, result, reply)),
      catchError(async (error: unknown) => {
        throw await this.scopes.visibleError(call, error);
      }),
    );
    return isQuery(call) ? this.inTurn(request, sent) : this.traced(call, sent);
  }

  /** Commands are spans, each a part of its caller's trace. What waits or goes on is none: its duration says nothing. */
  private traced(call: Call, sent: Observable<unknown>): Observable<unknown> {
    const { operation, on, caller } = call;
    if (!this.tracing || operation.idempotency === 'none' || operation.waits) return sent;
    const subject = operation.on === null ? {} : { [`waybill.${operation.on}`]: on };
    const attributes = { 'waybill.operation': operation.id, 'waybill.request_id': caller.requestId, ...subject };
    const span = { name: operation.id, kind: 'server', attributes, traceparent: caller.traceparent } as const;
    return from(this.tracing.within(span, () => lastValueFrom(sent)));
  }

  /** Whose client has left before its turn is looked up for nobody. */
  private inTurn(request: Request, sent: Observable<unknown>): Observable<unknown> {
    return from(this.server.httpAdapter.turns.take(holderOf(request))).pipe(
      mergeMap((leave) => (request.raw.socket.destroyed ? of(null) : sent).pipe(finalize(leave))),
    );
  }

  /** For what lasts: a stream, or an operation that may wait. */
  private gateOf({ operation }: Call, { follower }: Request): StreamGate | WaitingGate | null {
    const { streams, followers, waiting } = this.server.httpAdapter;
    if (operation.stream) return follower ? followers : streams;
    return operation.waits ? waiting : null;
  }

  private async admit(request: Request): Promise<void> {
    request.call = (await this.scopes.admitted([{ call: request.call! }]))[0]!;
  }

  private async answer(call: Call, result: Result, reply: FastifyReply): Promise<unknown> {
    return this.send(call, await this.operations.finish(call, result), reply);
  }

  private send(call: Call, answer: Answer<unknown>, reply: FastifyReply): unknown {
    const { stream } = call.operation;
    const { status, headers } = headOf(answer);
    reply.code(status).headers(headers);
    if (!stream) return withOwnIds(answer.body, call.caller);
    reply.headers(stream.headers).type(stream.contentType);
    const body = this.server.httpAdapter.streams.takenInTime(answer.body as EventPages<Streamed>, reply);
    return stream.chunksOf({ ...answer, body });
  }
}

/** What waits would keep others from their turns. */
const isQuery = ({ operation: { idempotency, stream, waits } }: Call): boolean =>
  idempotency === 'none' && !stream && !waits;

function arrivedOver(request: Request, reply: FastifyReply): Arrived {
  const { params, query, body, headers, id, principal, person } = request;
  return {
    on: namedIn(params),
    query,
    body,
    caller: callerFrom({ ...headers, ...namesIn(headers), 'x-request-id': id }, principal, person),
    get signal() {
      return request.ends ?? signalOf(reply);
    },
  };
}

/** Aborts if the client leaves before it is answered. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenOver(reply, () => {
    if (!reply.raw.writableFinished) gone.abort(new ClientGone());
  });
  return gone.signal;
}

/** Names may be in any script. */
function namesIn(headers: FastifyRequest['headers']): Record<string, string> {
  const names = ['waybill-actor', 'waybill-agent', 'idempotency-key'].filter((name) => headers[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, textOfHeader(String(headers[name]))]));
}
