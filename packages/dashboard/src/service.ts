import { createWaybill, type Waybill } from '@waybill/client';

const KEY = 'waybill-key';
const ACTOR = 'waybill-actor';

/** Somebody waits in front of it: what fails is shown, and asked again in two seconds. */
const RETRIES = { attempts: 1 };

/** Of this tab only. */
export const apiKey = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (key: string): void => sessionStorage.setItem(KEY, key),
  forget: (): void => sessionStorage.removeItem(KEY),
};

/** What an HTTP header carries, and the service takes: Latin letters, but no control character or soft hyphen. */
export const canBeSent = (name: string): boolean => /^[ -~\u00a0-\u00ac\u00ae-\u00ff]{0,100}$/.test(name);

/** Who acts, in the history. */
export const actor = {
  get: (): string => {
    const name = localStorage.getItem(ACTOR) ?? '';
    return name && canBeSent(name) ? name : 'dashboard';
  },
  set: (name: string): void => localStorage.setItem(ACTOR, name),
};

/** The clock of the service, which the times in its answers are of; that of a browser may be an hour off. */
export const serviceNow = (): number => Date.now() + aheadMs;

let aheadMs = 0;

/** The platform's fetch, which looks at the clock in each answer. */
export async function timed(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  aheadMs = aheadOf(answer.headers.get('date'), Date.now());
  return answer;
}

/** The header tells whole seconds: what may be due to that, or to the way here, is not told from none. */
export function aheadOf(date: string | null, nowMs: number): number {
  const ahead = Date.parse(date ?? '') + 500 - nowMs;
  return Math.abs(ahead) > 2_000 ? ahead : 0;
}

/** The service that this page came from, in the name and with the key of whoever sits here. */
export const service = (): Waybill =>
  createWaybill({ url: location.origin, fetch: timed, actor: actor.get(), apiKey: apiKey.get(), retry: RETRIES });
