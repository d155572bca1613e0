import { EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';

/**
 * What an error of the client stands for.
 * - `unavailable`: the store does not serve now. Whether an append was stored is unknown; a read may be tried again.
 * - `denied`: it serves others. Nothing was done, and trying again does not help before somebody gives the account its rights.
 * - `conflict`, `refused`: its answer to an append. `absent`: its answer to a read of a stream that is not there, or is deleted.
 * - `bug`: nothing that this program should have asked for, or nothing that the client should have made of it.
 */
export type Verdict = 'unavailable' | 'denied' | 'conflict' | 'refused' | 'absent' | 'bug';

/** What the client's errors have in common; while the server is away some are plain gRPC errors, which have no `type`. */
interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message?: string;
}

/** By the client's own types. `unknown` is what it makes of everything that it has no type for: that depends. */
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
  'stream-not-found': 'absent',
  'no-stream': 'absent',
  'stream-deleted': 'absent',
};

/**
 * gRPC's words for a request that is wrong whenever it is sent: INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION,
 * OUT_OF_RANGE. All others tell of the server, of the way there, or of a proxy on it.
 */
const BLAMING_CODES = new Set([3, 5, 6, 9, 11]);
/** PERMISSION_DENIED, UNAUTHENTICATED. */
const DENYING_CODES = new Set([7, 16]);
/** The server's words, where the code does not tell. */
const BLAMING_WORDS = /BadRequest|InvalidPosition/;

/** What became of a request, judged by the client's error. */
export function verdictOn(error: unknown): Verdict {
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  const { type, code, message = '' } = error as ClientError;
  if (type !== undefined && type !== 'unknown') return BY_TYPE[type] ?? 'bug';
  // `Could not recognize <what the server said>` has no code: the client knows no word for a server that is not ready.
  if (type === undefined && code === undefined) return message.startsWith('Failed to discover') ? 'unavailable' : 'bug';
  return BLAMING_WORDS.test(message) ? 'bug' : byCode(code);
}

function byCode(code: number | undefined): Verdict {
  if (code !== undefined && BLAMING_CODES.has(code)) return 'bug';
  return code !== undefined && DENYING_CODES.has(code) ? 'denied' : 'unavailable';
}

/** Whether the store does not serve us, whatever was asked for. */
export const isUnavailable = (error: unknown): boolean => ['unavailable', 'denied'].includes(verdictOn(error));

/**
 * Whether only a new client helps: this one keeps what its first look at the server's features answered, also an error, which has no
 * `type`. A lost connection (CANCELLED, UNAVAILABLE) it renews by itself.
 */
export function isLasting(error: unknown): boolean {
  const { type, code = -1 } = error as ClientError;
  return !(error instanceof EventStoreUnavailable) && type === undefined && ![1, 14].includes(code);
}

/** Whether no record begins at the position that was to be read from: each call has words of its own for it. */
export const isNoPosition = (error: unknown): boolean =>
  /InvalidPosition|invalid position/.test((error as ClientError).message ?? '');

/** Whether it was denied because the store knows no account with this name and password. UNAUTHENTICATED. */
export const isStranger = (error: unknown): boolean => (error as ClientError).code === 16;

/** `cause` where the store said something; without one it kept silent. */
export function unreachable(cause?: unknown): EventStoreUnavailable {
  if (cause instanceof EventStoreUnavailable) return cause;
  const said = (cause as ClientError | undefined)?.message;
  const but = said ? `it says: ${said}` : 'it does not answer';
  return new EventStoreUnavailable(`Expected EventStoreDB to serve, but ${but}`, { cause });
}
