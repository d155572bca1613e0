import { describe, expect, it } from '@jest/globals';
import { LogPast } from '../../../src/infrastructure/past/log-past.js';
import { PostgresLogTimes } from '../../../src/infrastructure/past/postgres-log-times.js';
import { NoSuchMoment } from '../../../src/projections/kernel/past.port.js';

const AT = '2026-11-23T03:12:00.000Z';

/** A log of so many events, and how often it was asked for what. */
function logOf(end: bigint) {
  const asked = { heads: 0, marks: 0, times: 0 };
  const log = { end, asked };
  const pool = { query: () => (asked.times++, Promise.resolve({ rows: [{ at: AT }] })) };
  const past = new LogPast(
    { head: () => (asked.heads++, Promise.resolve(log.end)) } as never,
    new PostgresLogTimes(pool as never),
    { from: () => (asked.marks++, Promise.resolve([])) },
    { now: () => new Date(AT) } as never,
  );
  return { log, asked, past };
}

describe('the moment of a position', () => {
  it('costs one read, once the process has seen that the log goes so far', async () => {
    const { asked, past } = logOf(9n);
    await past.momentOf({ position: 9n });
    expect(asked).toEqual({ heads: 1, marks: 0, times: 1 });
    expect(await past.momentOf({ position: 4n })).toEqual({ position: 4n, at: AT, alternative: null, settled: true });
    expect(asked).toEqual({ heads: 1, marks: 0, times: 2 });
  });

  it('is refused past the head, and known as soon as the log has reached it', async () => {
    const { log, past } = logOf(9n);
    await expect(past.momentOf({ position: 10n })).rejects.toBeInstanceOf(NoSuchMoment);
    log.end = 10n;
    expect(await past.momentOf({ position: 10n })).toMatchObject({ position: 10n });
  });
});
