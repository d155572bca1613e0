import { TimeMarks } from '../../../src/infrastructure/eventstoredb/log/time-marks.js';

const SECOND = 1_000;

describe('marks of the log by time', () => {
  it('give the newest one that is not later', () => {
    const marks = new TimeMarks();
    for (const s of [0, 1, 20, 40]) marks.add({ ms: s * SECOND, position: BigInt(s) });
    expect([-1, 0, 19, 39, 1_000].map((s) => marks.before(s * SECOND)?.position)).toEqual([
      undefined,
      0n,
      0n,
      20n,
      40n,
    ]);
  });

  it('become rarer with time, so that they never take more memory, and still reach back to the first', () => {
    const marks = new TimeMarks();
    for (let s = 0; s < 100_000; s += 10) marks.add({ ms: s * SECOND, position: BigInt(s) });
    const found = new Set(Array.from({ length: 100_000 }, (_, s) => marks.before(s * SECOND)!.position));
    expect(found.size).toBeLessThanOrEqual(1_000);
    expect(found).toContain(0n);
    expect(Number(marks.before(50_000 * SECOND)!.position)).toBeGreaterThan(49_000);
  });
});
