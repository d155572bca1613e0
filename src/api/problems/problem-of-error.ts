import {
  EventStoreUnavailable,
  Refused,
  type Rejection,
  StreamContentionError,
  unreadable,
  UnreadableStream,
} from '../../application/kernel/application-error.js';
import { isConnectionError, isOverTime, isReadOnly, READ_ONLY } from '../../application/kernel/connection-errors.js';
import { API_ERRORS, ApiError, type ApiErrorCode } from './api-error.js';
import { InvalidInput } from '../input/invalid-input.js';
import { NotThereAsOf } from './not-there-as-of.js';
import { problem, problemOfRejection, type Problem } from './problem.js';

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is a bug, to be logged under the id in the answer. */
  readonly unexpected: boolean;
}

/** The number of seconds to wait before a retry while the store is busy or unavailable. */
const RETRY_AFTER = { 'retry-after': '1' };

const TOO_LONG =
  'Expected to read this within the time that WAYBILL_READ_TIMEOUT_MS allows, but it took longer: ask for less, or try again when the database has less to do';

/**
 * The answer to an error, the same over HTTP and in process: a refusal with its facts, 503 with Retry-After for
 * contention and for an unavailable store, and otherwise a 500 that reveals only the request's id.
 */
export function problemOf(error: unknown): ProblemAnswer {
  if (error instanceof Refused) return refusal(error.rejection, error.index);
  if (error instanceof NotThereAsOf) {
    const answer = refusal(error.rejection);
    return { ...answer, problem: { ...answer.problem, ...error.facts } };
  }
  if (error instanceof InvalidInput) {
    const detail = `Expected a valid request, but: ${error.faults[0]?.detail ?? 'it is not'}`;
    return expected(apiProblem('INVALID_INPUT', detail, { errors: error.faults }));
  }
  if (error instanceof ApiError) return expected(apiProblem(error.code, error.detail, error.data), error.headers);
  if (error instanceof StreamContentionError) return refusal({ code: 'CONTENTION' });
  if (error instanceof UnreadableStream) return refusal(unreadable(error));
  if (isOverTime(error)) return expected(apiProblem('READ_TOO_LONG', TOO_LONG), RETRY_AFTER);
  if (isUnavailable(error)) {
    const { problem: away, ...answer } = refusal({ code: 'STORE_UNAVAILABLE' });
    return { ...answer, problem: isReadOnly(error) ? { ...away, detail: READ_ONLY } : away };
  }
  return {
    problem: apiProblem('INTERNAL_ERROR', 'Expected no error, but an unexpected one occurred'),
    headers: {},
    unexpected: true,
  };
}

/** Refusals that say nothing about the request. */
const NOT_NOW: ReadonlySet<string> = new Set(['CONTENTION', 'STORE_UNAVAILABLE', 'TOO_MANY_WAITING', 'HOLDER_FULL']);

const refusal = (rejection: Rejection, index: number | null = null): ProblemAnswer =>
  expected(problemOfRejection(rejection, index), {
    ...(NOT_NOW.has(rejection.code) && RETRY_AFTER),
    ...(rejection.code === 'HOLDER_FULL' && { ratelimit: '"running";r=0' }),
  });

function apiProblem(code: ApiErrorCode, detail: string, data: object = {}): Problem {
  return problem({ code, ...API_ERRORS[code], detail }, data);
}

const expected = (answer: Problem, headers: ProblemAnswer['headers'] = {}): ProblemAnswer => ({
  problem: answer,
  headers,
  unexpected: false,
});

const isUnavailable = (error: unknown): boolean => error instanceof EventStoreUnavailable || isConnectionError(error);
