import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';
import { type ApiKey, ApiKeys, type Permission } from './api-keys.js';
import { Hosts } from './hosts.js';
import { assertMay } from './permissions.js';
import { RefusedKeys } from './refused-keys.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any of them is needed; empty if the service requires no API keys. */
    permissions?: readonly Permission[];
  }
  interface FastifyRequest {
    /** Whose API key let the request in; null where none is asked for. */
    principal: ApiKey | null;
  }
}

/** The pages and the document say nothing of what is kept here, and a browser that opens them brings no API key. */
const OPEN = /^\/($|(dashboard|docs|openapi\.json)(\/|$))/;

export interface Entry {
  /** Absent: the service requires none. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /** Besides those of this machine, if the service requires no API keys. */
  readonly hosts?: readonly string[];
}

/** Throws where the request is to be refused, before a byte of its body is read. */
export type EntryCheck = (request: FastifyRequest) => void;

/** Whoever has an API key may come from anywhere; without keys, who comes by a name that the service knows. */
export function entryCheck({ apiKeys, hosts = [] }: Entry): EntryCheck {
  const check = apiKeys ? checkOfKeys(new ApiKeys(apiKeys)) : checkOfHosts(new Hosts(hosts));
  return (request) => {
    rejectCrossSiteRequests(request);
    check(request);
  };
}

/** Those who look after the process ask for its health by whatever address it has, and learn no more than that. */
const isForAll = ({ permissions }: FastifyContextConfig): boolean => permissions?.length === 0;

/** Lets in who has an API key for what is asked. Throws `UNAUTHENTICATED`, `FORBIDDEN` and `TOO_MANY_REFUSED_KEYS`. */
function checkOfKeys(keys: ApiKeys): EntryCheck {
  const refused = new RefusedKeys();
  return (request) => {
    const { config, url = '' } = request.routeOptions;
    if (isForAll(config) || (!config.permissions && OPEN.test(url))) return;
    const key = keyIn(request.headers.authorization);
    const holder = keys.holderOf(key, Date.now());
    if (!holder) {
      if (key !== '') refused.add(request);
      throw unauthenticated(key);
    }
    if (config.permissions) assertMay(holder, config.permissions);
    request.principal = holder;
  };
}

function checkOfHosts(hosts: Hosts): EntryCheck {
  return ({ headers, routeOptions }) => {
    if (!isForAll(routeOptions.config)) hosts.assertServed(headers.host);
  };
}

/** The page itself, and somebody who typed an address. */
const OWN: readonly unknown[] = ['same-origin', 'none'];

/**
 * A page from elsewhere can make a browser that reaches us send a command without a body, and without asking us first. Browsers tell by
 * `Sec-Fetch-Site` where a request comes from; over plain HTTP to another machine by `Origin` alone. Programs send neither. Throws
 * `FORBIDDEN`.
 */
function rejectCrossSiteRequests({ method, headers }: FastifyRequest): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  const isOwn = site === undefined ? origin === undefined || isAt(origin, host) : OWN.includes(site);
  if (method === 'GET' || method === 'HEAD' || isOwn) return;
  throw new ApiError(
    'FORBIDDEN',
    "Expected a command from a program or from the service's own pages, but it comes from a foreign page",
  );
}

/** An origin is `null` if the page hides it. */
const isAt = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/** RFC 6750. */
const keyIn = (authorization = ''): string => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';

/** The answer does not reveal whether the key is unknown or has expired. */
function unauthenticated(key: string): ApiError {
  const lack = key === '' ? 'the request has none' : 'the one in the request is unknown or has expired';
  const detail = `Expected 'Authorization: Bearer <API key>' with a valid API key, but ${lack}`;
  return new ApiError('UNAUTHENTICATED', detail, { 'www-authenticate': 'Bearer' });
}
