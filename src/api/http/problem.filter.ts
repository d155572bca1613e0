import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ApiErrorCode } from '../api-error.js';
import { problemOf, type ProblemAnswer } from '../problem-of-error.js';
import type { WaybillHttpAdapter } from './http-adapter.js';

/** Turns every error into a problem document: of handlers, of the router and of the body's parser alike. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Api');

  constructor(private readonly server: HttpAdapterHost<WaybillHttpAdapter>) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const answer = problemOf(this.ours(error, request));
    if (answer.unexpected) this.log(error, request);
    // A stream that broke half-way cannot be taken back: the connection ends, so that nobody takes it for complete.
    if (reply.raw.headersSent) reply.raw.destroy();
    else send(reply, request, answer);
  }

  /** The router's and the parser's errors as ours; their messages are not for clients. */
  private ours(error: unknown, request: FastifyRequest): unknown {
    if (!(error instanceof HttpException)) return error;
    if (error.getStatus() === 404) return this.notFound(request);
    const code = CODES[error.getStatus()];
    return code ? new ApiError(code, `Expected an acceptable request, but: ${error.message}`) : error;
  }

  private notFound({ method, url }: FastifyRequest): ApiError {
    const methods = this.server.httpAdapter.allowedMethods.at(url);
    if (methods.length === 0) return new ApiError('ROUTE_NOT_FOUND', `Expected a resource at this path, but there is none`);
    const allow = methods.join(', ');
    return new ApiError('METHOD_NOT_ALLOWED', `Expected one of ${allow}, but got ${method}`, { allow });
  }

  private log(error: unknown, { id, method, url }: FastifyRequest): void {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.logger.error(`${method} ${url.split('?', 1)[0]} failed (traceId ${id}): ${what}`);
  }
}

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: 'MALFORMED_REQUEST',
  413: 'BODY_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

function send(reply: FastifyReply, { id, url }: FastifyRequest, { problem, headers }: ProblemAnswer): void {
  const document = { ...problem, instance: url.split('?', 1)[0], traceId: id };
  void reply.code(problem.status).headers(headers).type('application/problem+json').send(JSON.stringify(document));
}
