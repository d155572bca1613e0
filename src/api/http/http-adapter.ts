import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { newId } from '../../application/kernel/new-id.js';
import { type ApiKey, ApiKeys } from '../access/api-keys.js';
import { type Entry, type EntryCheck, entryCheck } from '../access/authenticate.js';
import type { FollowTokens } from '../access/follow-tokens.js';
import { ProxiedPerson } from '../access/proxied-person.js';
import { type StreamLimits, USUAL_STREAMS } from '../access/open-streams.js';
import { InboundCounts } from '../access/inbound-counts.js';
import { Quotas } from '../access/quotas.js';
import { UsedKeys } from '../access/used-keys.js';
import { nameBelow, withoutPath } from './mounted-path.js';
import { RequestTimes } from './request-times.js';
import { answerClientError } from './client-error.js';
import { type ClientTimes, USUAL_TIMES } from './client-times.js';
import { AllowedMethods } from './allowed-methods.js';
import { isStopping } from '../problems/api-error.js';
import { problemOf } from '../problems/problem-of-error.js';
import { AnswerBudget } from './answer-budget.js';
import { BodyBudget, type BodyLimits, USUAL_LIMITS } from './body-budget.js';
import { compressAnswers } from './compression.js';
import { type ConnectionLimits, Connections, USUAL_CONNECTIONS } from './connections.js';
import { letFollow } from './cross-origin.js';
import { assertFitting, countPipelined } from './fitting-head.js';
import { takeJsonBodies } from './json-body.js';
import { assertNoQuery } from './no-query.js';
import { sendSecurityHeaders } from './security-headers.js';
import { apiErrorFor, sendProblem } from './send-problem.js';
import { type Rooms, roomsOf } from './rooms.js';
import { StreamGate } from './stream-gate.js';
import { Turns } from './turns.js';
import { WaitingGate } from './waiting-gate.js';

/** Longer than any id or name. A longer parameter is refused before the router looks for a route. */
const PARAMETER_LENGTH = 200;

export interface Access extends Entry {
  /** The proxies whose `X-Forwarded-For` is trusted: addresses, or networks such as `10.0.0.0/8`. */
  readonly trustedProxies?: readonly string[];
  /** The header in which they name the person that they have signed in. If absent, they sign in nobody. */
  readonly proxyUserHeader?: string | undefined;
  /** The path below which a client sees the API, such as `/ops`. Requests may arrive with or without it. */
  readonly path?: string | undefined;
  /** Whose pages may show the dashboard in a frame: origins, or `self`; nobody if absent. */
  readonly frameAncestors?: readonly string[];
  /** Whose pages may follow tasks by tokens; nobody's if absent. */
  readonly followOrigins?: readonly string[];
  readonly bodies?: BodyLimits;
  readonly streamLimits?: StreamLimits;
  readonly times?: ClientTimes;
  readonly connections?: ConnectionLimits;
}

/**
 * Fastify configured for the API: JSON bodies only, a request id that is safe to log, and streams that end with the
 * server.
 */
export class WaybillHttpAdapter extends FastifyAdapter {
  readonly allowedMethods: AllowedMethods;
  readonly requestTimes: RequestTimes;
  readonly usedKeys = new UsedKeys();
  readonly inbound = new InboundCounts();
  /** Null if the service requires none. */
  readonly keys: ApiKeys | null;
  /** Null if the service has no secret to sign them with. */
  readonly followTokens: FollowTokens | null;
  readonly rooms: Rooms;
  readonly streams: StreamGate;
  /** For streams by follow tokens. */
  readonly followers: StreamGate;
  readonly waiting: WaitingGate;
  readonly turns = new Turns();
  private stopping = false;

  constructor({ trustedProxies = [], bodies = USUAL_LIMITS, streamLimits = USUAL_STREAMS, ...access }: Access = {}) {
    const { times = USUAL_TIMES, connections = USUAL_CONNECTIONS, proxyUserHeader = null, path = '', ...rest } = access;
    const { frameAncestors = [], followOrigins = [], ...entry } = rest;
    super({
      trustProxy: trustedProxies.length > 0 && [...trustedProxies],
      // Otherwise a client that follows the events would keep the server from closing.
      forceCloseConnections: true,
      // `refuseWhileStopping` refuses with a problem document instead.
      return503OnClosing: false,
      // No limit: this time would also cover the work before the close, and requests in progress may take longer.
      pluginTimeout: 0,
      bodyLimit: bodies.bodyBytes,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.idleMs,
      http: { headersTimeout: times.requestMs, connectionsCheckingInterval: times.lookMs },
      clientErrorHandler: answerClientError,
      routerOptions: { maxParamLength: PARAMETER_LENGTH },
      requestIdHeader: false,
      genReqId: requestId,
      rewriteUrl: ({ url = '/' }) => withoutPath(url, path),
      // The router refuses an unreadable URL before Nest and its filters see the request.
      frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        reply.header('x-request-id', request.id);
        sendProblem(reply, request, problemOf(apiErrorFor(error.statusCode ?? 500, error.message) ?? error));
      },
    });
    this.keys = entry.apiKeys ? new ApiKeys(entry.apiKeys) : null;
    this.followTokens = entry.followTokens ?? null;
    const server = this.getInstance();
    const { room } = new Connections(connections, trustedProxies).watch(server.server);
    this.rooms = roomsOf(bodies, streamLimits, room);
    this.streams = new StreamGate(this.keys, this.rooms.streams, times);
    this.followers = new StreamGate(this.keys, this.rooms.followers, times);
    this.waiting = new WaitingGate(this.keys, this.rooms.waitingClaims);
    takeJsonBodies(server);
    this.allowedMethods = new AllowedMethods().watch(server);
    countPipelined(server);
    this.requestTimes = new RequestTimes().watch(server);
    new AnswerBudget(this.rooms.answers, times).watch(server);
    sendSecurityHeaders(server, frameAncestors);
    if (path !== '') nameBelow(server, path);
    compressAnswers(server);
    server.decorateRequest('principal', null);
    server.decorateRequest('person', null);
    server.decorateRequest('follower', null);
    server.decorateRequest('call', null);
    server.decorateRequest('ends', null);
    server.decorateRequest('bodyRoom', null);
    // After the headers plugin, so that refusals and answers to preflight requests have the headers too.
    const checks = [entryCheck(this.keys, entry), noting(new ProxiedPerson(proxyUserHeader, trustedProxies))];
    server.after(() => {
      letFollow(server, followOrigins);
      this.guard(server, checks, new BodyBudget(bodies.bodyBytes, this.rooms));
    });
  }

  get apiKeys(): readonly ApiKey[] {
    return this.keys?.all ?? [];
  }

  private guard(server: FastifyInstance, checks: readonly EntryCheck[], budget: BodyBudget): void {
    server.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      if (this.stopping) refuseWhileStopping(request, reply);
      else done();
    });
    const quotas = new Quotas();
    onEveryRequest(server, (request, reply) => {
      assertFitting(request);
      for (const check of checks) check(request);
      if (request.principal) {
        this.usedKeys.note(request.principal);
        quotas.take(request.principal, request, reply);
      }
      assertNoQuery(request);
      budget.take(request, reply);
    });
  }

  /** The shutdown has begun: new requests are refused, and requests in progress finish. */
  override beforeClose(): void {
    super.beforeClose();
    this.stopping = true;
  }

  /** Nothing to register: `takeJsonBodies` has set the only parser. */
  override registerParserMiddleware(): void {}
}

/** Before anything is counted for whoever calls. */
const noting =
  (people: ProxiedPerson): EntryCheck =>
  (request) => {
    request.person ??= people.of(request);
  };

function onEveryRequest(server: FastifyInstance, check: (request: FastifyRequest, reply: FastifyReply) => void): void {
  server.addHook('onRequest', (request, reply, done) => {
    try {
      check(request, reply);
      done();
    } catch (error) {
      sendProblem(reply, request, problemOf(error));
    }
  });
}

function refuseWhileStopping(request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, request, problemOf(isStopping({ connection: 'close' })));
}

/** The caller's id if it is safe to log, otherwise a new one. */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? given : newId();
}
