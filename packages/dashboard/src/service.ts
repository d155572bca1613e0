import { createWaybill, type Waybill } from '@waybill/client';

const KEY = 'waybill-key';
const ACTOR = 'waybill-actor';

/** Somebody waits in front of it: what fails is shown, and asked again in two seconds. */
const RETRIES = { attempts: 1 };

/** Of this tab only. */
export const apiKey = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (key: string): void => sessionStorage.setItem(KEY, key),
};

/** Who acts, in the history. */
export const actor = {
  get: (): string => localStorage.getItem(ACTOR) ?? 'dashboard',
  set: (name: string): void => localStorage.setItem(ACTOR, name || 'dashboard'),
};

/** The service that this page came from, in the name and with the key of whoever sits here. */
export const service = (): Waybill =>
  createWaybill({ url: location.origin, actor: actor.get(), apiKey: apiKey.get(), retry: RETRIES });
