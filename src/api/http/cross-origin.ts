import type { FastifyInstance } from 'fastify';
import { followedAt } from '../access/follow-tokens.js';

/** As browsers write it. */
export const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

/** What a browser asks before it sends a token from a page of another origin (Fetch Standard, CORS protocol). */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'authorization, last-event-id',
  'access-control-max-age': '600',
};

/**
 * Lets pages of these origins follow tasks, and read nothing else: other paths answer without a word about origins, so that browsers keep
 * what they say from foreign pages. Runs before anything else looks at the request, because a preflight request has no token.
 */
export function letFollow(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (followedAt(request.url) === null) return done();
    void reply.header('vary', 'Origin');
    if (origin === undefined || !origins.includes(origin)) return done();
    void reply.header('access-control-allow-origin', origin);
    if (request.method !== 'OPTIONS') return done();
    void reply.code(204).headers(PREFLIGHT).send();
  });
}
