import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { fileURLToPath } from 'node:url';
import { packageFile } from './http/package-file.js';

const FOLDER = fileURLToPath(packageFile('packages/dashboard/dist/'));

/** Serves the pages for people at `/dashboard/`. They call the API with the key that their user enters. */
export function serveDashboard(server: FastifyInstance): void {
  void server.register(fastifyStatic, {
    root: FOLDER,
    prefix: '/dashboard/',
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  });
  for (const path of ['/', '/dashboard']) server.get(path, (_, reply) => reply.redirect('/dashboard/'));
}
