import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { newId } from '../../application/kernel/new-id.js';
import type { ApiKeys } from '../access/api-keys.js';
import { keepForeignPagesOut, letIn } from '../access/entrance.js';
import { RequestTimes } from '../metrics/request-times.js';
import { AllowedMethods } from './allowed-methods.js';
import { ApiError } from '../api-error.js';
import { problemOf } from '../problem-of-error.js';
import { takeJsonBodies } from './json-body.js';
import { assertNoQuery } from './no-query.js';
import { apiErrorFor, sendProblem } from './send-problem.js';

/** A batch of 1000 tasks with payloads of 16 KiB. */
const BODY_BYTES = 16 * 1024 * 1024;

/** For a request to come in whole: one that never does would be held for ever. */
const REQUEST_MS = 60_000;

/** Longer than any id or name of ours; a longer parameter is refused before a route is looked for. */
const PARAMETER_LENGTH = 200;

/** Fastify as the API needs it: JSON bodies only, a request id that can be logged, and streams that end with the server. */
export class WaybillHttpAdapter extends FastifyAdapter {
  readonly allowedMethods: AllowedMethods;
  readonly requestTimes: RequestTimes;
  private stopping = false;

  /** Null: nobody is asked for one. */
  constructor(keys: ApiKeys | null = null) {
    super({
      // Without it a client that follows the events keeps the server from closing.
      forceCloseConnections: true,
      // Refused by `refuseWhileStopping`, with a problem document.
      return503OnClosing: false,
      // It bounds what is done before the close, too: letting requests finish may take longer.
      pluginTimeout: 0,
      bodyLimit: BODY_BYTES,
      requestTimeout: REQUEST_MS,
      routerOptions: { maxParamLength: PARAMETER_LENGTH },
      requestIdHeader: false,
      genReqId: requestId,
      // The router refuses an unreadable address before Nest, and its filters, hear of the request.
      frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        reply.header('x-request-id', request.id);
        sendProblem(reply, request, problemOf(apiErrorFor(error.statusCode ?? 500, error.message) ?? error));
      },
    });
    const server = this.getInstance();
    takeJsonBodies(server);
    this.allowedMethods = new AllowedMethods().watch(server);
    this.requestTimes = new RequestTimes().watch(server);
    server.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      if (this.stopping) refuseWhileStopping(request, reply);
      else done();
    });
    server.decorateRequest('keyHolder', null);
    atTheDoor(server, (request) => {
      keepForeignPagesOut(request);
      if (keys) letIn(keys, request);
      assertNoQuery(request);
    });
  }

  /** The end has begun: what comes from now on is refused, what is in hand is finished. */
  override beforeClose(): void {
    super.beforeClose();
    this.stopping = true;
  }

  /** The one parser is there already. */
  override registerParserMiddleware(): void {}
}

/** `check` throws where the request is to be refused, before its body is read. */
function atTheDoor(server: FastifyInstance, check: (request: FastifyRequest) => void): void {
  server.addHook('onRequest', (request, reply, done) => {
    try {
      check(request);
      done();
    } catch (error) {
      sendProblem(reply, request, problemOf(error));
    }
  });
}

function refuseWhileStopping(request: FastifyRequest, reply: FastifyReply): void {
  const error = new ApiError('SHUTTING_DOWN', 'Expected the service to take requests, but it is stopping', {
    connection: 'close',
    'retry-after': '1',
  });
  sendProblem(reply, request, problemOf(error));
}

/** The caller's, where it can stand in a log line. */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? given : newId();
}
