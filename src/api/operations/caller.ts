import { createHash } from 'node:crypto';
import { newId } from '../../application/kernel/new-id.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import type { UnitOfWork } from '../../application/kernel/unit-of-work.js';
import { actorFor } from '../../domain/kernel/principal.js';
import type { ApiKey } from '../access/api-keys.js';
import { InvalidInput } from '../input/invalid-input.js';
import { traceparentIn } from './traceparent.js';

/** Who called, and the parts of the request other than path, query and body. */
export interface Caller {
  /** Null if the request names no actor. */
  readonly actor: string | null;
  /** Who acts on the actor's behalf. Null if the request names nobody. */
  readonly agent: string | null;
  readonly requestId: string;
  /** Null if the request has none, or one that is not as the W3C says. */
  readonly traceparent: string | null;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly lastEventId: string | null;
  /** The API key of the request; null if the service requires none. */
  readonly principal: ApiKey | null;
  /** The person that a trusted proxy has signed in; null without one. */
  readonly person: string | null;
  /** Set if the call is previewed. */
  readonly unit?: UnitOfWork;
  /** Whether the service calls itself. No request over HTTP does. */
  readonly isService?: true;
}

/** Names are in lower case. Of a repeated header, the first value counts. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The actor if the request names none. */
const ANONYMOUS = 'anonymous';

/** Text without control characters or lone surrogates. */
const PRINTABLE = /^\P{C}{1,200}$/u;

/** Throws `InvalidInput` if a header has a value that cannot be stored. A signed-in person is the actor, whatever the request says. */
export function callerFrom(headers: Headers, principal: ApiKey | null = null, person: string | null = null): Caller {
  return {
    actor: actorOf(person ?? header(headers, 'waybill-actor'), principal),
    agent: header(headers, 'waybill-agent'),
    requestId: header(headers, 'x-request-id') ?? newId(),
    traceparent: traceparentIn(headers['traceparent']),
    idempotencyKey: keyOf(header(headers, 'idempotency-key'), principal),
    ifMatch: header(headers, 'if-match'),
    lastEventId: header(headers, 'last-event-id'),
    principal,
    person,
  };
}

/**
 * The actor is the key's name, followed by the actor that the request names: `shop:ann`. A request cannot claim another
 * key's name.
 */
function actorOf(said: string | null, apiKey: ApiKey | null): string | null {
  if (!apiKey) return said;
  return said === null || said === ANONYMOUS ? apiKey.name : actorFor(apiKey.name, said);
}

/**
 * Each API key has its own idempotency keys. Otherwise one client could take the keys that another is about to use, or
 * read the answers that it got.
 */
const keyOf = (given: string | null, apiKey: ApiKey | null): string | null =>
  given !== null && apiKey ? `${apiKey.name}:${given}` : given;

function header(headers: Headers, name: string): string | null {
  const given = headers[name];
  const value = Array.isArray(given) ? given[0] : given;
  if (value === undefined || value === '') return null;
  if (PRINTABLE.test(value)) return value;
  throw new InvalidInput([{ pointer: `#/headers/${name}`, detail: 'Expected up to 200 printable characters' }]);
}

/**
 * The context of a command. `request` contains the whole input, path parameters included. Its fingerprint does not
 * depend on how the request arrived or on the order of members, so a repetition under the same idempotency key is
 * recognised.
 */
export function contextFor(caller: Caller, operation: string, request: object, actor = ANONYMOUS): CommandContext {
  const { idempotencyKey: key, requestId, agent, traceparent } = caller;
  const principal = caller.principal && { principal: caller.principal.name };
  const service = caller.isService && { isService: caller.isService };
  const context = {
    actor: caller.actor ?? actor,
    ...(agent !== null && { agent }),
    correlationId: requestId,
    ...(traceparent !== null && { traceparent }),
    ...principal,
    ...(caller.person !== null && { isSignedIn: true as const }),
    ...service,
    ...(caller.unit && { unit: caller.unit }),
  };
  return key === null ? context : { ...context, idempotencyKey: { key, fingerprint: fingerprint(operation, request) } };
}

const fingerprint = (operation: string, request: object): string =>
  createHash('sha256')
    .update(`${operation}\n${canonical(withoutTraces(request))}`)
    .digest('hex');

/** A request that is repeated within another span is the same request, and so are the tasks of a list and the commands of a transaction. */
function withoutTraces(request: { readonly body?: unknown }): object {
  if (!isObject(request.body)) return request;
  const { traceparent: _, tasks, commands, ...rest } = request.body as Traced;
  return {
    ...request,
    body: { ...rest, tasks: eachOf(tasks, withoutTrace), commands: eachOf(commands, withoutTraces) },
  };
}

interface Traced {
  readonly traceparent?: unknown;
  readonly tasks?: unknown;
  readonly commands?: unknown;
}

function withoutTrace(task: Traced): object {
  const { traceparent: _, ...rest } = task;
  return rest;
}

/** Lists of ids stay what they are. */
const eachOf = (list: unknown, change: (member: object) => object): unknown =>
  Array.isArray(list) ? list.map((member: unknown) => (isObject(member) ? change(member) : member)) : list;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** JSON text with the members of every object in order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const entries = Object.entries(member);
    return entries.length < 2 ? member : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
