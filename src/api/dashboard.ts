import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fileURLToPath } from 'node:url';

/** Beside `src`, and beside `dist`. */
const FOLDER = fileURLToPath(new URL('../../packages/dashboard/dist/', import.meta.url));

/** Everything that the pages need is here, and nobody may put them into a frame, or other scripts into them. */
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The pages for people, at `/dashboard/`. What they show they ask of the API, with the key of whoever sits there. */
export function serveDashboard(server: FastifyInstance): void {
  void server.register(fastifyStatic, {
    root: FOLDER,
    prefix: '/dashboard/',
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.headers(HEADERS),
  });
  for (const path of ['/', '/dashboard']) server.get(path, (_, reply) => reply.redirect('/dashboard/'));
}
