import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import {
  type Answer,
  jsonCopy,
  type EventView,
  type Input,
  OPERATIONS,
  type OperationId,
  type QueryValue,
  type Transport,
  TransportFailure,
  type TransportOptions,
  WaybillError,
} from '@waybill/client';
import { headOf } from '../api/operations/answer.js';
import { callerFrom } from '../api/operations/caller.js';
import { problemOf } from '../api/problems/problem-of-error.js';
import { CallWatch } from './call-watch.js';
import type { Arrived } from '../api/operations/call.js';
import { namedIn } from '../api/operations/subjects.js';
import { operationNamed } from '../api/operations/operation.js';
import type { Operations } from '../api/operations/operations.js';
import { type EventPages, SERVER_SENT_EVENTS } from '../api/operations/stream-format.js';

/**
 * The service within the caller's own process: the same operations, answers and refusals as over HTTP, without HTTP.
 */
export class InProcessTransport implements Transport {
  private readonly logger = new Logger('Waybill');
  private readonly closed = new AbortController();

  /** `isService`: what calls is part of the service, and may use its reserved queues. */
  constructor(
    private readonly operations: Operations,
    private readonly isService?: true,
  ) {
    // Every call in progress listens, however many there are.
    setMaxListeners(0, this.closed.signal);
  }

  async call(operation: OperationId, input: Input, { signal, timeoutMs }: TransportOptions = {}): Promise<Answer> {
    if (isStream(operation)) throw new TypeError(`Expected '${operation}' to be opened, but it was called`);
    const timeout =
      timeoutMs === undefined ? undefined : { ms: timeoutMs, reason: () => tooLate(operation, timeoutMs) };
    const watch = new CallWatch([this.closed.signal, signal], timeout);
    try {
      watch.signal.throwIfAborted();
      return await watch.over(this.answer(operation, input, watch.signal));
    } finally {
      watch.end();
    }
  }

  async *open(
    operation: OperationId,
    input: Input,
    signal?: AbortSignal,
    onPosition?: (position: string) => void,
  ): AsyncIterable<EventView> {
    if (!isStream(operation)) throw new TypeError(`Expected '${operation}' to be called, but it was opened`);
    const watch = new CallWatch([this.closed.signal, signal]);
    const arrived = this.arrivedFrom(operation, input, watch.signal);
    try {
      const { body, asOf } = await this.operations.answer(operation, arrived);
      if (asOf !== undefined && operationNamed(operation).stream === SERVER_SENT_EVENTS) onPosition?.(String(asOf));
      for await (const { events, reached } of body as EventPages) {
        for (const event of events) yield jsonCopy(event) as EventView;
        if (events.length === 0) onPosition?.(String(reached));
      }
      watch.signal.throwIfAborted();
    } catch (error) {
      throw watch.signal.aborted ? watch.signal.reason : this.refusalOf(error, operation, arrived);
    } finally {
      watch.end();
    }
  }

  /** From now on, every call fails as unreachable, including those in progress. Safe to call twice. */
  close(): void {
    this.closed.abort(
      new TransportFailure('unreachable', 'Expected Waybill to run in this process, but it was stopped'),
    );
  }

  private async answer(operation: OperationId, input: Input, signal: AbortSignal): Promise<Answer> {
    const arrived = this.arrivedFrom(operation, input, signal);
    try {
      const answer = await this.operations.answer(operation, arrived);
      return { ...headOf(answer), body: operationNamed(operation).hot ? answer.body : jsonCopy(answer.body) };
    } catch (error) {
      const { problem, headers } = this.problemFrom(error, operation, arrived);
      return { status: problem.status, headers, body: problem };
    }
  }

  private arrivedFrom(operation: OperationId, input: Input, signal: AbortSignal): Arrived {
    const arrived = arrivedFrom(operation, input, signal);
    return this.isService ? { ...arrived, caller: { ...arrived.caller, isService: true } } : arrived;
  }

  private refusalOf(error: unknown, operation: OperationId, arrived: Arrived): WaybillError {
    const { problem, headers } = this.problemFrom(error, operation, arrived);
    const seconds = headers['retry-after'];
    return new WaybillError(problem as WaybillError['problem'], seconds === undefined ? null : Number(seconds) * 1_000);
  }

  private problemFrom(error: unknown, operation: OperationId, { caller }: Arrived) {
    const { problem, headers, unexpected } = problemOf(error);
    if (unexpected) this.logger.error(`${operation} failed (traceId ${caller.requestId})`, (error as Error).stack);
    return { problem: { ...problem, instance: OPERATIONS[operation].path, traceId: caller.requestId }, headers };
  }
}

const tooLate = (operation: OperationId, ms: number): TransportFailure =>
  new TransportFailure('timeout', `Expected '${operation}' to answer within ${ms} ms, but it did not`);

const isStream = (operation: OperationId): boolean => operationNamed(operation).stream !== null;

/**
 * The request as it would arrive over HTTP: text in the query, plain JSON in the body, and nothing shared with the
 * caller.
 */
function arrivedFrom(
  operation: OperationId,
  { path = {}, query = {}, body, headers = {} }: Input,
  signal: AbortSignal,
): Arrived {
  const { method } = OPERATIONS[operation];
  const arrivedBody = method === 'POST' || method === 'PUT' ? jsonCopy(body ?? {}) : undefined;
  return {
    on: namedIn(path),
    query: textsOf(query),
    body: arrivedBody,
    caller: callerFrom(headers),
    signal,
  };
}

function textsOf(query: Readonly<Record<string, QueryValue>>): Record<string, string | string[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}
