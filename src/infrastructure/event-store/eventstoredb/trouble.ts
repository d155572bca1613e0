import { EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';

/** What the client's errors have in common; while the server is away some are plain gRPC errors, which have no `type`. */
interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message?: string;
}

const PASSING_TYPES = new Set(['unavailable', 'cancelled', 'deadline-exceeded', 'timeout', 'not-leader']);
/** gRPC: CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL (a reset stream), UNAVAILABLE. */
const PASSING_CODES = new Set([1, 4, 8, 10, 13, 14]);

/** Whether the store was out of reach, so that an append's outcome is unknown and a read may be tried again. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return true;
  const { type = '', code = -1, message = '' } = error as ClientError;
  return PASSING_TYPES.has(type) || PASSING_CODES.has(code) || message.startsWith('Failed to discover');
}

/** Whether the client, rather than its connection, may be the trouble: it renews a lost connection by itself. */
export function isLasting(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable) return false;
  const { type = '', code = -1 } = error as ClientError;
  return !['unavailable', 'cancelled', 'not-leader'].includes(type) && code !== 1 && code !== 14;
}

export const hasType = (error: unknown, ...types: readonly string[]): boolean =>
  types.includes((error as ClientError).type ?? '');

export const unreachable = (cause?: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable('Expected to reach EventStoreDB, but it does not answer', { cause });
