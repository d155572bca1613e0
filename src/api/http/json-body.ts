import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../problems/api-error.js';

/**
 * Accepts JSON as the body of a request, and nothing else. It only parses: each operation checks the values
 * (`faultInJson`), as it does for callers in process.
 */
export function takeJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parsed(body as Buffer));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new ApiError('MALFORMED_JSON', 'Expected the body to be UTF-8, but it contains other bytes');
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    throw new ApiError('MALFORMED_JSON', `Expected the body to be JSON, but: ${(error as SyntaxError).message}`);
  }
}
