import type { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { DatabaseClock } from '../../../src/infrastructure/database/database-clock.js';

/**
 * A database whose clock is `ahead` of this process's monotonic clock, and which takes `takes` milliseconds to answer.
 */
function clockOver(answers: readonly { ahead: number; takes: number }[]): DatabaseClock {
  let monotonic = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
  const remaining = [...answers];
  const query = async () => {
    const { ahead, takes } = remaining.shift()!;
    const ms = monotonic + ahead;
    monotonic += takes;
    return Promise.resolve({ rows: [{ ms }] });
  };
  return new DatabaseClock({ query } as unknown as PostgresPool);
}

const now = (clock: DatabaseClock): number => clock.now().getTime();

describe('DatabaseClock', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('returns the time of the database, not of this machine', async () => {
    const clock = clockOver([{ ahead: 3_600_000, takes: 2 }]);
    await clock.sample();
    expect(now(clock)).toBe(3_600_000 + 1_002 - 1);
  });

  it('is not set back by a slow answer', async () => {
    const clock = clockOver([
      { ahead: 5_000, takes: 2 },
      { ahead: 5_000, takes: 400 },
    ]);
    await clock.sample();
    const before = now(clock);
    await clock.sample();
    expect(now(clock)).toBe(before + 400);
  });

  it("follows the database's clock when that is set", async () => {
    const clock = clockOver([
      { ahead: 5_000, takes: 2 },
      { ahead: 9_000, takes: 2 },
    ]);
    await clock.sample();
    await clock.sample();
    expect(now(clock)).toBe(9_000 + 1_004 - 2);
  });

  it('throws if it is asked before the first sample', () => {
    expect(() => clockOver([]).now()).toThrow('has not been sampled');
  });
});
