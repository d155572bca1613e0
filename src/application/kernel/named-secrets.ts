import { NAME } from '../../domain/kernel/patterns.js';

/** While a secret is replaced, its name has two. */
export const MOST_AT_ONCE = 2;

/** What is wrong with secrets by name, without their values; null if nothing is. `faultIn` completes the sentence that begins with a name. */
export function faultInNamed(secrets: unknown, faultIn: (given: unknown) => string | null): string | null {
  if (typeof secrets !== 'object' || secrets === null || Array.isArray(secrets)) return 'it is no JSON object';
  for (const [name, given] of Object.entries(secrets)) {
    if (!NAME.test(name))
      return `a name has other characters than letters, digits, '.', '-' and '_', does not begin with a letter or a digit, or is longer than 100`;
    const fault = faultIn(given);
    if (fault !== null) return `'${name}' ${fault}`;
  }
  return null;
}

/** What is wrong with the one or two secrets of a name; null if nothing is. `form`: what each must be, in words. */
export function faultInEach(given: unknown, isSecret: (one: unknown) => boolean, form: string): string | null {
  const each: unknown[] = Array.isArray(given) ? given : [given];
  if (each.length === 0 || each.length > MOST_AT_ONCE) return `has ${each.length} secrets instead of one or two`;
  return each.every(isSecret) ? null : `is no ${form}`;
}
