const KEY = 'waybill-key';
const ACTOR = 'waybill-actor';

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
