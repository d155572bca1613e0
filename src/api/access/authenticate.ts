import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';
import type { ApiKey, ApiKeys, Permission } from './api-keys.js';
import { followedAt, type Follower, type FollowTokens, isFollowToken } from './follow-tokens.js';
import { Hosts } from './hosts.js';
import type { MountedPerson } from './mounted-person.js';
import { assertMay } from './permissions.js';
import { RefusedKeys } from './refused-keys.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A key needs any one of these. Empty if the route needs no API key. */
    permissions?: readonly Permission[];
    /** Of a route whose sender signs the body, which it gets as it came: the most bytes. The route checks the signature. */
    signedBytes?: number;
  }
  interface FastifyRequest {
    /** The API key of the request; null if the service requires none. */
    principal: ApiKey | null;
    /** The person that a trusted proxy has signed in; null without one. */
    person: string | null;
    /** Whoever sent a follow token; null without one. */
    follower: Follower | null;
  }
}

/**
 * Open without an API key: the pages and the API's document contain no data, and a browser that opens them sends no
 * key.
 */
const WITHOUT_KEY = /^\/($|(dashboard|docs|openapi\.json)(\/|$))/;

export interface Entry {
  /** If absent, the service requires none. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /** Accepted besides this machine's own names, if the service requires no API keys. */
  readonly hosts?: readonly string[];
  /** If present, the API is a part of an application, whose login says who calls, under whatever host name. */
  readonly persons?: MountedPerson;
  /** If absent, nobody may follow a task by a token. */
  readonly followTokens?: FollowTokens | undefined;
}

/** Throws if the request must be refused. Runs before the body is read. */
export type EntryCheck = (request: FastifyRequest) => void;

/**
 * A request with a valid API key may come from anywhere. If the service requires no keys, a request must use a known
 * host name.
 */
export function entryCheck(keys: ApiKeys | null, { hosts = [], persons, followTokens }: Entry): EntryCheck {
  const check = persons ? checkOfPersons(persons) : keys ? checkOfKeys(keys) : checkOfHosts(new Hosts(hosts));
  return (request) => {
    rejectCrossSiteRequests(request);
    if (isSigned(request)) return;
    const token = keyIn(request.headers.authorization);
    if (isFollowToken(token)) request.follower = followerOf(request, token, followTokens);
    else check(request);
  };
}

/** Its sender has no key, no login and any name of the host, and is known by the signature of its body. */
const isSigned = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.signedBytes !== undefined;

/** Health checks come by any address the process has, without a key, and learn nothing but its health. */
const isForAll = ({ permissions }: FastifyContextConfig): boolean => permissions?.length === 0;

/**
 * Requires an API key with a permission for the route. Throws `UNAUTHENTICATED`, `FORBIDDEN` and
 * `TOO_MANY_REFUSED_KEYS`.
 */
function checkOfKeys(keys: ApiKeys): EntryCheck {
  const refused = new RefusedKeys();
  return (request) => {
    const { config, url = '' } = request.routeOptions;
    if (isForAll(config) || (!config.permissions && WITHOUT_KEY.test(url))) return;
    const key = keyIn(request.headers.authorization);
    const apiKey = keys.keyOf(key, Date.now());
    if (!apiKey) {
      if (key !== '') refused.add(request);
      throw unauthenticated(key);
    }
    if (config.permissions) assertMay(apiKey, config.permissions);
    request.principal = apiKey;
  };
}

/** A token is good for one request: to follow its task. Throws `UNAUTHENTICATED` and `FORBIDDEN`. */
function followerOf({ method, url }: FastifyRequest, token: string, tokens: FollowTokens | undefined): Follower {
  const follower = tokens?.followerIn(token, Date.now()) ?? null;
  if (follower === null) {
    const detail =
      'Expected a follow token that is valid, but the one in the request is unknown or has expired: ask for a new one';
    throw new ApiError('UNAUTHENTICATED', detail, { 'www-authenticate': 'Bearer' });
  }
  if (method === 'GET' && followedAt(url) === follower.task) return follower;
  const detail = `Expected a follow token only with 'GET /v1/tasks/${follower.task}/follow', but the request is another one`;
  throw new ApiError('FORBIDDEN', detail);
}

/** Nothing is open to somebody whom the application has not signed in, not even the pages. */
const checkOfPersons =
  (persons: MountedPerson): EntryCheck =>
  (request) => {
    request.person = persons.of(request);
  };

function checkOfHosts(hosts: Hosts): EntryCheck {
  return ({ headers, routeOptions }) => {
    if (!isForAll(routeOptions.config)) hosts.assertServed(headers.host);
  };
}

/** The page itself, and a person who typed an address. */
const NOT_FOREIGN: readonly unknown[] = ['same-origin', 'none'];

/**
 * A foreign page can make a browser that reaches the service send a command without a body, without a preflight
 * request. Browsers report the origin in `Sec-Fetch-Site` or, over plain HTTP to another machine, only in `Origin`.
 * Programs send neither. Throws `FORBIDDEN`.
 */
function rejectCrossSiteRequests({ method, headers }: FastifyRequest): void {
  const { 'sec-fetch-site': site, origin, host } = headers;
  const isOwn = site === undefined ? origin === undefined || isAt(origin, host) : NOT_FOREIGN.includes(site);
  if (method === 'GET' || method === 'HEAD' || isOwn) return;
  throw new ApiError(
    'FORBIDDEN',
    "Expected a command from a program or from the service's own pages, but it comes from a foreign page",
  );
}

/** An origin is `null` if the page hides it. */
const isAt = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/** The token in the form of RFC 6750. */
const keyIn = (authorization = ''): string => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';

/** The answer does not reveal whether the key is unknown or has expired. */
function unauthenticated(key: string): ApiError {
  const lack = key === '' ? 'the request has none' : 'the one in the request is unknown or has expired';
  const detail = `Expected 'Authorization: Bearer <API key>' with a valid API key, but ${lack}`;
  return new ApiError('UNAUTHENTICATED', detail, { 'www-authenticate': 'Bearer' });
}
