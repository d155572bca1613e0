import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';

/**
 * Like `expect(found).toStrictEqual(expected)`, which is called only if there is a difference, because it took a tenth
 * of the model's time.
 */
export function agree(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toStrictEqual(expected);
}
