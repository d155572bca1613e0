import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';
import { problemOf } from '../problems/problem-of-error.js';
import type { WaybillHttpAdapter } from './http-adapter.js';
import { apiErrorFor, sendProblem } from './send-problem.js';

/** The file server answers 403 to a path that would leave the folder of the pages. */
const NOWHERE: readonly number[] = [403, 404];

/** Turns every error into a problem document: those of handlers, of the router and of the body parser. */
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
    // The headers of a stream that breaks half-way are already sent. Closing the connection shows the client that the
    // stream is incomplete.
    if (reply.raw.headersSent) reply.raw.destroy();
    else sendProblem(reply, request, answer);
  }

  /**
   * Replaces the router's and the parser's errors with the API's own, because their messages are not meant for clients.
   */
  private ours(error: unknown, request: FastifyRequest): unknown {
    if (!(error instanceof HttpException)) return error;
    if (NOWHERE.includes(error.getStatus())) return this.notFound(request);
    return apiErrorFor(error.getStatus(), error.message) ?? error;
  }

  private notFound({ method, url }: FastifyRequest): ApiError {
    const methods = this.server.httpAdapter.allowedMethods.at(url);
    // A wildcard's path may name a file that is not there.
    if (methods.length === 0 || methods.includes(method))
      return new ApiError('ROUTE_NOT_FOUND', `Expected a path of the API, but this is none`);
    const allow = methods.join(', ');
    return new ApiError('METHOD_NOT_ALLOWED', `Expected one of ${allow}, but got ${method}`, { allow });
  }

  private log(error: unknown, { id, method, url }: FastifyRequest): void {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.logger.error(`${method} ${url.split('?', 1)[0]} failed (traceId ${id}): ${what}`);
  }
}
