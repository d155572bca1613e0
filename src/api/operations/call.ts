import type { CommandContext } from '../../application/kernel/command-context.js';
import { ApiError } from '../problems/api-error.js';
import { type Caller, contextFor } from './caller.js';
import { InvalidInput } from '../input/invalid-input.js';
import type { Operation } from './operation.js';
import { subjectOf } from './subjects.js';

/** The input of a call, not validated yet, however it arrived. */
export interface Arrived {
  /** The queue's name or the task's id from the path; empty for operations on neither. */
  readonly on: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** A call of an operation with valid input, as a controller's method gets it. */
export interface Call<Body = unknown, Query = unknown> {
  readonly operation: Operation;
  readonly on: string;
  readonly body: Body;
  readonly query: Query;
  /** The version of the policy that the caller has seen. Present if the operation requires `If-Match`. */
  readonly ifVersion: number | undefined;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Validates the input of a call. Throws `InvalidInput`. */
export function checked(
  operation: Operation,
  arrived: Arrived,
  ifVersion: () => number | undefined = () => versionIn(operation, arrived.caller),
): Call {
  const { on, body, query } = operation;
  return {
    operation,
    on: on === null ? '' : subjectOf(on).checked(arrived.on),
    body: body?.of(arrived.body),
    query: query?.of(arrived.query),
    ifVersion: ifVersion(),
    caller: arrived.caller,
    // Only operations that wait read it, because over HTTP it costs a listener.
    get signal() {
      return arrived.signal;
    },
  };
}

/** The context of the call's command. `actor` is used if the request names none. */
export function contextOf({ operation, on, body, query, ifVersion, caller }: Call, actor?: string): CommandContext {
  const { id, idempotency } = operation;
  const asked = idempotency === 'key' || idempotency === 'either' ? caller : { ...caller, idempotencyKey: null };
  return contextFor(asked, id, { on, body, query, ifVersion }, actor);
}

function versionIn({ ifMatch: wanted }: Operation, { ifMatch: given }: Caller): number | undefined {
  if (wanted === null || (wanted === 'refused' && given === null)) return undefined;
  if (wanted === 'refused') {
    throw atIfMatch('Expected no If-Match, because a definition takes no version: use it to change the policy');
  }
  if (given === null) {
    throw new ApiError(
      'PRECONDITION_REQUIRED',
      'Expected If-Match with the ETag of the policy that you have read, but got none',
    );
  }
  const version = /^"(\d{1,9})"$/.exec(given)?.[1];
  if (version === undefined) throw atIfMatch('Expected one strong tag, like "3", but got something else');
  return Number(version);
}

const atIfMatch = (detail: string): InvalidInput => new InvalidInput([{ pointer: '#/headers/if-match', detail }]);
