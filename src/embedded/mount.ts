import type { DynamicModule, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FOLLOW_SECRET, followTokensOf } from '../api/access/follow-tokens.js';
import { MountedPerson } from '../api/access/mounted-person.js';
import { createHttpAdapter, servePages } from '../api/bootstrap.js';
import { ORIGIN } from '../api/http/cross-origin.js';
import { MOUNT_PATH } from '../api/http/mounted-path.js';
import { FRAME_ANCESTOR } from '../api/http/security-headers.js';

/** Where an application serves the dashboard and the API. */
export interface MountOptions {
  /** The path that it passes on, such as `/ops`. Requests may arrive with or without it, as frameworks differ. */
  readonly path: string;
  /** The origins whose pages may show the dashboard in a frame, or `self`; none if absent. */
  readonly frameAncestors?: readonly string[];
  /**
   * What signs the tokens with which browsers follow a task, 32 characters or more each: the first signs, all of them count. There are no
   * such tokens if absent. Requests with one need no person.
   */
  readonly followSecrets?: readonly string[];
  /** The origins whose pages may follow tasks by tokens; none but your own if absent. */
  readonly followOrigins?: readonly string[];
}

/**
 * Answers a request to the dashboard or the API. `person`: who is signed in, for the history; without one, the request is refused. Call it
 * before anything reads the body.
 */
export type Serve = (request: IncomingMessage, response: ServerResponse, person: string | null | undefined) => void;

/** Throws `TypeError` for a path, an origin or a secret that cannot be one. */
export function assertMountable({ path, frameAncestors, followSecrets = [], followOrigins }: MountOptions): void {
  if (!MOUNT_PATH.test(path))
    throw new TypeError(
      `Expected http.path to be a path without a slash at its end, such as '/ops', but it is '${path}'`,
    );
  assertOrigins('frameAncestors', frameAncestors, FRAME_ANCESTOR);
  assertOrigins('followOrigins', followOrigins, ORIGIN);
  if (!followSecrets.every((one) => FOLLOW_SECRET.test(one)))
    throw new TypeError(
      'Expected http.followSecrets to be texts of 32 characters or more without spaces, but one is not',
    );
}

function assertOrigins(option: string, origins: readonly string[] = [], form: RegExp): void {
  const wrong = origins.find((one) => !form.test(one));
  if (wrong !== undefined)
    throw new TypeError(
      `Expected http.${option} to be origins such as 'https://ops.example.com', but one is '${wrong}'`,
    );
}

/** The API of the module, without a port: it gets its requests from `serve`. */
export async function createMounted(
  module: DynamicModule,
  { followSecrets = [], ...options }: MountOptions,
  rules: NestApplicationOptions,
): Promise<{ readonly context: NestFastifyApplication; readonly serve: Serve }> {
  const persons = new MountedPerson();
  const adapter = createHttpAdapter({ ...options, persons, followTokens: followTokensOf(followSecrets) });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, rules);
  servePages(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { context: app, serve: serveFrom(app, persons) };
}

function serveFrom(app: NestFastifyApplication, persons: MountedPerson): Serve {
  const server = app.getHttpAdapter().getInstance();
  return (request, response, person) => {
    if (isRead(request)) return refuseRead(response);
    persons.signIn(request, person);
    server.routing(request, response);
  };
}

/** The body would never come, and the request would wait for it. */
const isRead = ({ method, readableEnded }: IncomingMessage): boolean =>
  readableEnded && method !== 'GET' && method !== 'HEAD';

function refuseRead(response: ServerResponse): void {
  response.writeHead(500, { 'content-type': 'text/plain' });
  response.end('Expected Waybill to get requests before their bodies are read, but a parser of bodies comes first\n');
}
