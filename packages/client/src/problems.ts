import type { OperationId, Problem, ProblemError } from '@waybill/contracts';
import type { Answer, Input } from './transport.js';

/** The members of a problem that are not facts of the refusal. */
const FRAME = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId', 'errors']);

/** The service refused. Branch on `code`; `data` has the facts of the refusal. */
export class WaybillError extends Error {
  override readonly name = 'WaybillError';
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly ProblemError[];
  /** Identifies the request in the service's logs. */
  readonly traceId: string | null;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    readonly problem: Problem,
    /** How long the service asks you to wait; null if it did not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(messageOf(problem));
    this.code = problem.code;
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.traceId = problem.traceId ?? null;
    this.data = Object.fromEntries(Object.entries(problem).filter(([name]) => !FRAME.has(name)));
  }
}

/** Does not repeat the first error if the detail already ends with it. */
function messageOf({ detail, title, errors = [] }: Problem): string {
  const lines = errors.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`));
  const isTold = errors.length > 0 && detail.endsWith(errors[0]!.detail);
  return (isTold ? lines : [detail || title, ...lines]).join('\n');
}

export interface LostRequest {
  readonly operation: OperationId;
  /** What was sent, including ids: you can safely send it again unchanged. */
  readonly input: Input;
  readonly requestId: string;
  readonly attempts: number;
}

/**
 * The service gave no usable answer, even after all retries.
 * With `outcome: 'unknown'` the command may or may not have been carried out; with `not-done` it was not.
 */
export class WaybillUnavailable extends Error {
  override readonly name = 'WaybillUnavailable';

  constructor(
    readonly request: LostRequest,
    readonly outcome: 'unknown' | 'not-done',
    cause: unknown,
  ) {
    const ending = outcome === 'unknown' ? 'its outcome is unknown' : 'nothing was done';
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `Expected an answer to '${request.operation}', but after ${request.attempts} attempt(s) ${ending}: ${reason}`,
      {
        cause,
      },
    );
  }
}

/** The error for a refusal. */
export function errorOf(answer: Answer): WaybillError {
  return new WaybillError(problemOf(answer), retryAfterMs(answer.headers['retry-after']));
}

/** An answer that is not a problem document comes from something between the client and the service. */
function problemOf({ status, body, headers }: Answer): Problem {
  if (isProblem(body)) return body;
  const title = `HTTP status ${status}`;
  const traceId = headers['x-request-id'];
  return { type: 'about:blank', title, status, code: `HTTP_${status}`, detail: title, ...(traceId && { traceId }) };
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body;
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function retryAfterMs(header: string | undefined): number | null {
  if (!header) return null;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
