const KEY = 'waybill-key';
const ACTOR = 'waybill-actor';

/** The API key, kept for this tab only. */
export const apiKey = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (key: string): void => sessionStorage.setItem(KEY, key),
  forget: (): void => sessionStorage.removeItem(KEY),
};

/** Whether an HTTP header can carry the name and the service takes it: Latin letters, no control character or soft hyphen. */
export const canBeSent = (name: string): boolean => /^[ -~\u00a0-\u00ac\u00ae-\u00ff]{0,100}$/.test(name);

/** The person's name, for the history. */
export const actor = {
  get: (): string => {
    const name = localStorage.getItem(ACTOR) ?? '';
    return name && canBeSent(name) ? name : 'dashboard';
  },
  set: (name: string): void => localStorage.setItem(ACTOR, name),
};
