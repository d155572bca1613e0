import { defined } from './defined.js';

/**
 * `whole` with the members of `changes`. A member that is `undefined`, as validated requests may have, changes nothing.
 */
export const changed = <T extends object>(whole: T, changes: Partial<T> = {}): T => ({
  ...whole,
  ...defined(changes),
});
