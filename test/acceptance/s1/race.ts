import { expect } from '@jest/globals';
import type { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';

type Act<T> = () => Promise<T>;

/** Starts both at about the same time. */
export type Start = <A, B>(first: Act<A>, second: Act<B>) => Promise<[A, B]>;

const ROUNDS = 200;

/**
 * Repeats a race of two, which returns whether the first one came first, until each has come first `often` times. The
 * winner gives the other a longer head start the next time, so that they come closer and closer.
 */
export async function untilEachCameFirst(
  pool: PostgresPool,
  often: number,
  race: (start: Start) => Promise<boolean>,
): Promise<void> {
  const came = { first: 0, second: 0 };
  let headStart = 0;
  const start: Start = (first, second) => Promise.all([later(pool, -headStart, first), later(pool, headStart, second)]);
  for (let round = 0; round < ROUNDS && Math.min(came.first, came.second) < often; round++) {
    const isFirst = await race(start);
    came[isFirst ? 'first' : 'second'] += 1;
    headStart += isFirst ? -1 : 1;
  }
  expect(Math.min(came.first, came.second)).toBe(often);
}

/** Runs the act after this many queries, if any. */
async function later<T>(pool: PostgresPool, questions: number, act: Act<T>): Promise<T> {
  for (let asked = 0; asked < questions; asked++) await pool.query('select');
  return act();
}
