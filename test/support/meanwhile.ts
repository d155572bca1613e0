import { jest } from '@jest/globals';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

/**
 * Does `act` once, right before or after a query of this process that matches, as if another process did it between two
 * statements of one answer. Returns what puts an end to it.
 */
export function meanwhile(
  when: 'before' | 'after',
  text: RegExp,
  act: () => Promise<unknown>,
): { readonly happened: () => boolean; end(): void } {
  const { query } = PostgresQueryRunner.prototype;
  let happened = false;
  const spy = jest.spyOn(PostgresQueryRunner.prototype, 'query').mockImplementation(async function (
    this: PostgresQueryRunner,
    ...given
  ) {
    const isIt = !happened && text.test(given[0]);
    happened ||= isIt;
    if (isIt && when === 'before') await act();
    const result: unknown = await query.apply(this, given);
    if (isIt && when === 'after') await act();
    return result;
  } as typeof query);
  return { happened: () => happened, end: () => spy.mockRestore() };
}
