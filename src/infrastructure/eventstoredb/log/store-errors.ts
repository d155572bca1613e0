import { EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';

/**
 * What an error of the client means.
 *
 * - `unavailable`: the store does not serve now. An append may or may not be stored; a read may be tried again.
 * - `denied`: the store serves, but not this account. Nothing was done, and a retry fails until somebody gives the
 *   account its rights.
 * - `conflict`, `refused`: the store's answer to an append. `absent`: its answer to a read of a stream that does not
 *   exist or is deleted.
 * - `bug`: a mistake in this program or in the client.
 */
export type Verdict = 'unavailable' | 'denied' | 'conflict' | 'refused' | 'absent' | 'bug';

/**
 * The members that the client's errors share. While the server is away, some are plain gRPC errors without a `type`.
 */
interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message?: string;
}

/**
 * Verdicts by the client's own error types. The client uses `unknown` for every error without a type of its own; its
 * verdict depends on the code.
 */
const BY_TYPE: Readonly<Record<string, Verdict>> = {
  unavailable: 'unavailable',
  cancelled: 'unavailable',
  'deadline-exceeded': 'unavailable',
  timeout: 'unavailable',
  'not-leader': 'unavailable',
  'invalid-transaction': 'unavailable',
  'access-denied': 'denied',
  'wrong-expected-version': 'conflict',
  'maximum-append-size-exceeded': 'refused',
  'append-record-size-exceeded': 'refused',
  'transaction-max-size-exceeded': 'refused',
  'stream-not-found': 'absent',
  'no-stream': 'absent',
  'stream-deleted': 'absent',
  'stream-tombstoned': 'absent',
};

/**
 * gRPC codes for a request that is wrong whenever it is sent: INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS,
 * FAILED_PRECONDITION, OUT_OF_RANGE. All other codes concern the server, the network, or a proxy.
 */
const BLAMING_CODES = new Set([3, 5, 6, 9, 11]);
/** PERMISSION_DENIED, UNAUTHENTICATED. */
const DENYING_CODES = new Set([7, 16]);
/** Messages of the server for cases that the code does not tell apart. */
const BLAMING_WORDS = /BadRequest|InvalidPosition/;

/** Derives the verdict on a request from the client's error. */
export function verdictOn(error: unknown): Verdict {
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  const { type, code, message = '' } = error as ClientError;
  if (type !== undefined && type !== 'unknown') return BY_TYPE[type] ?? 'bug';
  // The client reports a server that is not ready as `Could not recognize <message>`, without a code.
  if (type === undefined && code === undefined) return message.startsWith('Failed to discover') ? 'unavailable' : 'bug';
  return BLAMING_WORDS.test(message) ? 'bug' : byCode(code);
}

function byCode(code: number | undefined): Verdict {
  if (code !== undefined && BLAMING_CODES.has(code)) return 'bug';
  return code !== undefined && DENYING_CODES.has(code) ? 'denied' : 'unavailable';
}

/** Whether the store does not serve us, for any request. */
export const isUnavailable = (error: unknown): boolean => ['unavailable', 'denied'].includes(verdictOn(error));

/**
 * Whether only a new client helps. A client remembers the answer to its first query for the server's features, even if
 * that was an error, which then has no `type`. After a lost connection (CANCELLED, UNAVAILABLE) the client recovers by
 * itself.
 */
export function isLasting(error: unknown): boolean {
  const { type, code = -1 } = error as ClientError;
  return !(error instanceof EventStoreUnavailable) && type === undefined && ![1, 14].includes(code);
}

/** Whether the read failed because no record begins at its position. Each call words this differently. */
export const isNoPosition = (error: unknown): boolean =>
  /InvalidPosition|invalid position/.test((error as ClientError).message ?? '');

/** Whether the store knows no account with this name and password (UNAUTHENTICATED). */
export const isStranger = (error: unknown): boolean => (error as ClientError).code === 16;

/** `cause` is the store's error; omit it if the store did not answer. */
export function unreachable(cause?: unknown): EventStoreUnavailable {
  if (cause instanceof EventStoreUnavailable) return cause;
  const said = (cause as ClientError | undefined)?.message;
  const but = said ? `it says: ${said}` : 'it does not answer';
  return new EventStoreUnavailable(`Expected EventStoreDB to serve, but ${but}`, { cause });
}
