import { isUtf8 } from 'node:buffer';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';

/** Tools such as curl send another type unless they are told. */
export const NO_JSON = "Expected a body of JSON, but its type is another: send 'Content-Type: application/json'";

/** What is JSON by its suffix (RFC 6839), such as CloudEvents. */
const SUFFIXED = /^application\/[\w.-]+\+json(\s*;|$)/i;

/**
 * Accepts JSON as the body of a request, and nothing else. It only parses: each operation checks the values
 * (`faultInJson`), as it does for callers in process. A body that its sender has signed is left as it came, and may have another name of JSON.
 */
export function takeJsonBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { signedBytes } = (route.config ?? {}) as FastifyContextConfig;
    if (signedBytes !== undefined) route.bodyLimit = signedBytes;
  });
  server.removeAllContentTypeParsers();
  for (const type of ['application/json', SUFFIXED])
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      request.bodyRoom?.shrinkTo(body.length);
      try {
        done(null, bodyFor(request, body as Buffer, type === SUFFIXED));
      } catch (error) {
        done(error as Error, undefined);
      }
    });
}

function bodyFor({ routeOptions }: FastifyRequest, body: Buffer, isSuffixed: boolean): unknown {
  if (routeOptions.config.signedBytes !== undefined) return body;
  if (isSuffixed) throw new ApiError('UNSUPPORTED_MEDIA_TYPE', NO_JSON);
  return parsed(body);
}

/**
 * Parsing 4 MiB of `{},` made 1.4 million objects, and stopped the event loop for a quarter of a second. So many values
 * are parsed and checked in about 50 ms.
 */
export const MOST_VALUES = 250_000;

/** Throws `MALFORMED_JSON` and `BODY_TOO_LARGE`. */
export function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new ApiError('MALFORMED_JSON', 'Expected the body to be UTF-8, but it contains other bytes');
  if (hasTooManyValues(body)) {
    throw new ApiError('BODY_TOO_LARGE', `Expected a body of at most ${MOST_VALUES} JSON values, but it has more`);
  }
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    throw new ApiError('MALFORMED_JSON', `Expected the body to be JSON, but: ${(error as SyntaxError).message}`);
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [...Buffer.from('"\\,[{')] as [number, number, number, number, number];

/** Counts before the body is parsed: each value follows a comma or the beginning of a list or object. */
function hasTooManyValues(body: Buffer): boolean {
  if (body.length <= MOST_VALUES) return false;
  let values = 1;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if ((byte === COMMA || byte === LIST || byte === OBJECT) && ++values > MOST_VALUES) return true;
  }
  return false;
}

/** The index of the quote that ends the text; the end of the body if none does. */
function endOfText(body: Buffer, start: number): number {
  let end = body.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(body, end)) end = body.indexOf(QUOTE, end + 1);
  return end < 0 ? body.length : end;
}

function isEscaped(body: Buffer, at: number): boolean {
  let backslashes = 0;
  while (body[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
