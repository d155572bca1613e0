import { describe, expect, it } from '@jest/globals';
import {
  type Canary,
  endsOf,
  verdictAtLast,
  verdictOn,
  whyStopped,
} from '../../../src/application/bulk-operations/canary.js';

const CANARY: Canary = { first: 5, goOnIf: 0.8, withinMs: 60_000 };
const ends = (succeeded: number, failed: number, open: number) => ({ succeeded, failed, open });

describe('a canary', () => {
  it.each([
    ['goes on with exactly the share', ends(4, 1, 0), true],
    ['goes on as soon as the share is reached', ends(4, 0, 1), true],
    ['stops below the share', ends(3, 2, 0), false],
    ['stops as soon as the share cannot be reached', ends(0, 2, 3), false],
    ['waits while it depends on open tasks', ends(3, 1, 1), null],
  ])('%s', (_, given, verdict) => {
    expect(verdictOn(CANARY, given)).toBe(verdict);
  });

  it.each(Array.from({ length: 100 }, (_, at) => at + 1))(
    'with a share of %d hundredths, goes on with so many',
    (n) => {
      const canary = { ...CANARY, first: 100, goOnIf: Number(`${n}e-2`) };
      expect([verdictOn(canary, ends(n, 100 - n, 0)), verdictOn(canary, ends(n - 1, 101 - n, 0))]).toEqual([
        true,
        false,
      ]);
    },
  );

  it('counts tasks that are open at last as not succeeded', () => {
    expect(verdictAtLast(CANARY, ends(3, 0, 2))).toEqual({ succeeded: 3, failed: 0, open: 2, goesOn: false });
    expect(verdictAtLast(CANARY, ends(4, 0, 1))).toMatchObject({ goesOn: true });
  });

  it('counts every end without success as a failure', () => {
    expect(endsOf(['succeeded', 'failed', 'undecided', 'cancelled', 'aborted', 'superseded', 'deleted'])).toEqual(
      ends(1, 6, 0),
    );
    expect(endsOf(['prepared', 'pending', 'held', 'running'])).toEqual(ends(0, 0, 4));
  });

  it('says why it stopped', () => {
    expect(whyStopped(CANARY, ends(3, 2, 0))).toBe(
      'Expected a share of at least 0.8 of the first 5 tasks to succeed, but 3 succeeded, 2 failed. The other tasks were left alone.',
    );
    expect(whyStopped(CANARY, ends(3, 0, 2))).toContain('and 2 are open (the operation waits 60 s)');
  });
});
