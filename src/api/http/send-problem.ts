import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ApiErrorCode } from '../problems/api-error.js';
import type { Problem } from '../problems/problem.js';
import { withOwnIds } from '../operations/stand-ins.js';
import type { ProblemAnswer } from '../problems/problem-of-error.js';
import { NO_JSON } from './json-body.js';

export function sendProblem(reply: FastifyReply, request: FastifyRequest, { problem, headers }: ProblemAnswer): void {
  void reply.code(problem.status).headers(headers).type('application/problem+json').send(documentOf(problem, request));
}

/** The text of a problem document. */
export function documentOf(problem: Problem, { id, url, call }: FastifyRequest): string {
  const document = { ...problem, instance: url.split('?', 1)[0], traceId: id };
  return JSON.stringify(call ? withOwnIds(document, call.caller) : document);
}

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: 'MALFORMED_REQUEST',
  413: 'BODY_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The API's error for a server error with this status; null if the server is at fault. */
export function apiErrorFor(status: number, message: string): ApiError | null {
  const code = CODES[status];
  if (code === undefined) return null;
  return new ApiError(code, code === 'UNSUPPORTED_MEDIA_TYPE' ? NO_JSON : `Expected a valid request, but: ${message}`);
}
