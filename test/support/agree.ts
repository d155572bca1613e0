import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';

/** As `expect(found).toStrictEqual(expected)`, which is only asked where there is a difference: it took a tenth of the model's time. */
export function agree(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toStrictEqual(expected);
}
