import { createWaybill, type Waybill } from '@waybill/client';

const KEY = 'waybill-key';
const ACTOR = 'waybill-actor';

/** A person is waiting: a failure is shown, and the page loads again after two seconds. */
const RETRIES = { attempts: 1 };

/** The API key, kept for this tab only. */
export const apiKey = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (key: string): void => sessionStorage.setItem(KEY, key),
  forget: (): void => sessionStorage.removeItem(KEY),
};

/**
 * Accepts names that an HTTP header can carry and the service takes: Latin letters, but no control character or soft
 * hyphen.
 */
export const canBeSent = (name: string): boolean => /^[ -~\u00a0-\u00ac\u00ae-\u00ff]{0,100}$/.test(name);

/** The actor for the history. */
export const actor = {
  get: (): string => {
    const name = localStorage.getItem(ACTOR) ?? '';
    return name && canBeSent(name) ? name : 'dashboard';
  },
  set: (name: string): void => localStorage.setItem(ACTOR, name),
};

/** The service's clock, by which the times in its answers are. A browser's clock may be an hour off. */
export const serviceNow = (): number => Date.now() + aheadMs;

let aheadMs = 0;

/** The platform's `fetch`. It also compares the clocks with every answer. */
export async function timed(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  aheadMs = aheadOf(answer.headers.get('date'), Date.now());
  return answer;
}

/**
 * How far the service's clock is ahead. The header has whole seconds and the answer took time, so a small difference
 * counts as none.
 */
export function aheadOf(date: string | null, nowMs: number): number {
  const ahead = Date.parse(date ?? '') + 500 - nowMs;
  return Math.abs(ahead) > 2_000 ? ahead : 0;
}

let client: { readonly as: string; readonly of: Waybill } | null = null;

/**
 * A client of the service that this page came from, with the user's name and API key. The same one for all that the user
 * does, so that lists show what a button has done.
 */
export function service(): Waybill {
  const user = { actor: actor.get(), apiKey: apiKey.get() };
  const as = JSON.stringify(user);
  if (client?.as === as) return client.of;
  const of = createWaybill({ url: location.origin, fetch: timed, ...user, retry: RETRIES });
  client = { as, of };
  return of;
}
