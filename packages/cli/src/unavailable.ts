import { OPERATIONS, WaybillError, type WaybillUnavailable } from '@waybill/client';

const HINT = "'npx waybill up' starts a service here; --url names the address of another one.";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: connection refused',
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'its host has no address',
  EHOSTUNREACH: 'no network leads there',
  ENETUNREACH: 'no network leads there',
};

/** Says that no service answered at the address, why, and what is known of the outcome. One that answered has said what is wrong itself. */
export function unavailable({ message, cause, outcome, request }: WaybillUnavailable, url: string): string {
  if (cause instanceof WaybillError) return message;
  const reason = REASONS[codeOf(cause)];
  const isRead = OPERATIONS[request.operation].method === 'GET';
  if (reason === undefined && !isRead) return `${message}\n${HINT}`;
  const because = reason ?? (cause instanceof Error ? cause.message : String(cause));
  const ending = isRead ? '' : outcome === 'unknown' ? ' The outcome is unknown.' : ' Nothing was done.';
  return `Expected Waybill at ${url}, but ${because}.${ending}\n${HINT}`;
}

/** The system's code is that of the innermost cause. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return typeof code === 'string' ? code : cause === undefined ? '' : codeOf(cause);
}
