import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fileURLToPath } from 'node:url';
import { packageFile } from './http/package-file.js';

const FOLDER = fileURLToPath(packageFile('packages/dashboard/dist/'));

/** A file whose name changes with its content. */
const HASHED = /-[A-Z0-9]{8}\.(js|css|woff2)$/;
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the pages for people at `/dashboard/`. They call the API with the key that their user enters. */
export function serveDashboard(server: FastifyInstance): void {
  void server.register(fastifyStatic, {
    root: FOLDER,
    prefix: '/dashboard/',
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.header('cache-control', HASHED.test(path) ? FOR_EVER : 'no-cache'),
  });
  for (const path of ['/', '/dashboard']) server.get(path, (_, reply) => reply.redirect('/dashboard/'));
}
