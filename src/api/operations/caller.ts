import { createHash } from 'node:crypto';
import { newId } from '../../application/kernel/new-id.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import { actorFor } from '../../application/kernel/principal.js';
import type { ApiKey } from '../access/api-keys.js';
import { InvalidInput } from '../input/invalid-input.js';

/** Who asks, and what a request says beside its path, query and body. */
export interface Caller {
  /** Null where the request names nobody. */
  readonly actor: string | null;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly lastEventId: string | null;
  /** Whose API key let the request in; null where none is asked for. */
  readonly principal: ApiKey | null;
}

/** Names in lower case; the first value of a repeated header counts. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Who acts where nobody said so. */
const NOBODY = 'anonymous';

/** Text without control characters or halves of surrogate pairs. */
const PRINTABLE = /^\P{C}{1,200}$/u;

/** Throws `InvalidInput` where a header says something that cannot be kept. */
export function callerFrom(headers: Headers, principal: ApiKey | null = null): Caller {
  return {
    actor: actorOf(header(headers, 'waybill-actor'), principal),
    requestId: header(headers, 'x-request-id') ?? newId(),
    idempotencyKey: keyOf(header(headers, 'idempotency-key'), principal),
    ifMatch: header(headers, 'if-match'),
    lastEventId: header(headers, 'last-event-id'),
    principal,
  };
}

/** The key's holder, who cannot be another one, and in whose name it says to act: `shop:ann`. */
function actorOf(said: string | null, holder: ApiKey | null): string | null {
  if (!holder) return said;
  return said === null || said === NOBODY ? holder.name : actorFor(holder.name, said);
}

/** Of the holder's own: otherwise one could take the keys that another is about to use, or be told what was answered to it. */
const keyOf = (given: string | null, holder: ApiKey | null): string | null =>
  given !== null && holder ? `${holder.name}:${given}` : given;

function header(headers: Headers, name: string): string | null {
  const given = headers[name];
  const value = Array.isArray(given) ? given[0] : given;
  if (value === undefined || value === '') return null;
  if (PRINTABLE.test(value)) return value;
  throw new InvalidInput([{ pointer: `#/headers/${name}`, detail: 'Expected up to 200 printable characters' }]);
}

/**
 * The context of a command. `request` is what the operation was asked, path parameters included: an idempotency key stands
 * for it, whichever way and in whatever order of members it comes again.
 */
export function contextFor(caller: Caller, operation: string, request: object, actor = NOBODY): CommandContext {
  const { idempotencyKey: key, requestId } = caller;
  const principal = caller.principal && { principal: caller.principal.name };
  const context = { actor: caller.actor ?? actor, correlationId: requestId, ...principal };
  return key === null ? context : { ...context, idempotencyKey: { key, fingerprint: fingerprint(operation, request) } };
}

const fingerprint = (operation: string, request: object): string =>
  createHash('sha256')
    .update(`${operation}\n${canonical(request)}`)
    .digest('hex');

/** JSON with the members of every object in order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
