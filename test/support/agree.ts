import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';

/** As `expect(real).toEqual(model)`, which takes a tenth of the model's whole time: so it only says what differs. */
export function agree(real: unknown, model: unknown): void {
  if (!isDeepStrictEqual(real, model)) expect(real).toStrictEqual(model);
}
