import { WaybillError } from '@waybill/client';
import { useSyncExternalStore } from 'react';

/** Whether the service answers, asks for a key, or is silent, and since when what is shown is as it was. */
export type Reach =
  | { readonly kind: 'answers' }
  | { readonly kind: 'needs-key' }
  | { readonly kind: 'silent'; readonly since: number };

const ANSWERS: Reach = { kind: 'answers' };

let reach: Reach = ANSWERS;
let lastAnswerAt = Date.now();
const listeners = new Set<() => void>();

function become(next: Reach): void {
  if (next.kind === reach.kind) return;
  reach = next;
  for (const tell of listeners) tell();
}

/** To be called with every answer. */
export function answered(): void {
  lastAnswerAt = Date.now();
  become(ANSWERS);
}

/** To be called with every error of a request. A refusal is an answer, too. */
export function refused(error: Error): void {
  if (error instanceof WaybillError && error.status === 401) become({ kind: 'needs-key' });
  else if (!(error instanceof WaybillError) || error.status >= 500) become({ kind: 'silent', since: lastAnswerAt });
}

const listen = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

export const useReach = (): Reach => useSyncExternalStore(listen, () => reach);

/** Whether the service would give the same answer to every repetition of the request. */
export const isForGood = (error: unknown): boolean =>
  error instanceof WaybillError && [400, 401, 403, 404].includes(error.status);
