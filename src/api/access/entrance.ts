import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.js';
import type { ApiKey, ApiKeys, Permission } from './api-keys.js';
import { assertMay } from './permissions.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any of them is needed; empty where nobody is asked for an API key. */
    permissions?: readonly Permission[];
  }
  interface FastifyRequest {
    /** Whose API key let the request in; null where none is asked for. */
    keyHolder: ApiKey | null;
  }
}

/** The pages and the document say nothing of what is kept here, and a browser that opens them brings no API key. */
const OPEN = /^\/($|(dashboard|docs|openapi\.json)(\/|$))/;

/** Lets in who has an API key for what is asked, before a byte of the body is read. Throws `UNAUTHENTICATED` and `FORBIDDEN`. */
export function letIn(keys: ApiKeys, request: FastifyRequest): void {
  const { config, url = '' } = request.routeOptions;
  const { permissions } = config;
  if (permissions?.length === 0 || (!permissions && OPEN.test(url))) return;
  const holder = keys.holderOf(keyIn(request.headers.authorization), Date.now());
  if (!holder) throw unauthenticated();
  if (permissions) assertMay(holder, permissions);
  request.keyHolder = holder;
}

/** The page itself, and somebody who typed an address. */
const OWN: readonly unknown[] = ['same-origin', 'none'];

/**
 * A page from elsewhere can make a browser that reaches us send a command without a body, and without asking us first. Browsers tell by
 * `Sec-Fetch-Site` where a request comes from; over plain HTTP to another machine by `Origin` alone. Programs send neither. Throws
 * `FORBIDDEN`.
 */
export function keepForeignPagesOut({ method, headers }: FastifyRequest): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  const isOwn = site === undefined ? origin === undefined || isAt(origin, host) : OWN.includes(site);
  if (method === 'GET' || method === 'HEAD' || isOwn) return;
  throw new ApiError(
    'FORBIDDEN',
    'Expected a command of a program or of our own pages, but it is of a page from elsewhere',
  );
}

/** An origin can be `null`: that of a page that hides its own. */
const isAt = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/** RFC 6750. */
const keyIn = (authorization = ''): string => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';

const unauthenticated = (): ApiError =>
  new ApiError('UNAUTHENTICATED', "Expected 'Authorization: Bearer <API key>' with one that is valid, but got none", {
    'www-authenticate': 'Bearer',
  });
