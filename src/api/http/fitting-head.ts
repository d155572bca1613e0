import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';
import { unansweredOf } from './when-over.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** How many requests of its connection were not answered when it arrived. */
    unansweredBefore: number;
  }
}

/**
 * Browsers behind two proxies send some forty. Node leaves out those beyond 1,000, `Transfer-Encoding` among them, and the
 * body would then take no room.
 */
const MOST_HEADERS = 100;

/** All requests that a connection has sent are handled at once, and their answers wait for one another. */
const MOST_PIPELINED = 100;

/** Counts before any other hook, because hooks may let the requests behind overtake. */
export function countPipelined(server: FastifyInstance): void {
  server.decorateRequest('unansweredBefore', 0);
  server.addHook('onRequest', (request, _, done) => {
    request.unansweredBefore = unansweredOf(request.raw.socket);
    done();
  });
}

/** Throws if the head of a request alone says that it must be refused. */
export function assertFitting({ raw, headers, unansweredBefore }: FastifyRequest): void {
  assertPipelined(unansweredBefore);
  assertFew(raw.rawHeaders.length / 2);
  assertPlain('Content-Encoding', headers['content-encoding'], 'identity');
  assertPlain('Transfer-Encoding', headers['transfer-encoding'], 'chunked');
}

/** The answer closes the connection, so that those behind it are handled no more. */
function assertPipelined(before: number): void {
  if (before < MOST_PIPELINED) return;
  throw new ApiError(
    'TOO_MANY_PIPELINED',
    `Expected at most ${MOST_PIPELINED} requests of a connection to wait for their answers, but this would be one more: wait for the answers`,
    { connection: 'close', 'retry-after': '1' },
  );
}

function assertFew(count: number): void {
  if (count <= MOST_HEADERS) return;
  throw new ApiError('HEADERS_TOO_LARGE', `Expected at most ${MOST_HEADERS} headers, but the request has ${count}`);
}

/** A compressed body may be a thousand times as large as what arrives. */
function assertPlain(header: string, given: string | undefined, plain: string): void {
  if (given === undefined || given.trim().toLowerCase() === plain) return;
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Expected a body as it is, but its ${header} is '${given.slice(0, 100)}': send it without compression`,
    { 'accept-encoding': 'identity' },
  );
}
