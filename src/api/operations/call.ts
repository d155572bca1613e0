import type { CommandContext } from '../../application/kernel/command-context.js';
import { ApiError } from '../problems/api-error.js';
import { type Caller, contextFor } from './caller.js';
import { InvalidInput } from '../input/invalid-input.js';
import type { Operation } from './operation.js';
import { queueName, taskId } from './parameters.js';

/** What a call brings along, unchecked, whichever way it comes. */
export interface Arrived {
  /** The queue's name or the task's id in the path; empty for operations on neither. */
  readonly on: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  /** Aborts when the caller no longer listens. */
  readonly signal: AbortSignal;
}

/** A call of an operation after every check of its input: what a controller's method is given. */
export interface Call<Body = unknown, Query = unknown> {
  readonly operation: Operation;
  readonly on: string;
  readonly body: Body;
  readonly query: Query;
  /** The version of the policy that the caller has seen; present where the operation asks for it. */
  readonly ifVersion: number | undefined;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Checks what arrived against what the operation declares. Throws `InvalidInput`. */
export function checked(
  operation: Operation,
  arrived: Arrived,
  ifVersion: () => number | undefined = () => versionIn(operation, arrived.caller),
): Call {
  const { on, body, query } = operation;
  return {
    operation,
    on: on === 'task' ? taskId(arrived.on) : on === 'queue' ? queueName(arrived.on) : '',
    body: body?.of(arrived.body),
    query: query?.of(arrived.query),
    ifVersion: ifVersion(),
    caller: arrived.caller,
    // Read only by who waits: over HTTP it costs a listener.
    get signal() {
      return arrived.signal;
    },
  };
}

/** The context of the call's command: `actor` acts where the request names nobody. */
export function contextOf({ operation, on, body, query, ifVersion, caller }: Call, actor?: string): CommandContext {
  return contextFor(caller, operation.id, { on, body, query, ifVersion }, actor);
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
