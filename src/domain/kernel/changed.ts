/** `whole` with other values for what is in `changes`; a member that is `undefined`, as a validated request has them, changes nothing. */
export const changed = <T extends object>(whole: T, changes: Partial<T> = {}): T => ({
  ...whole,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
});
