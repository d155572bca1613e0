import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differenceFirst, differenceIn, FirstFailure } from './first-failure.js';

const SEED = { seed: 42, numRuns: 100 };

/** Every number above 10 is wrong, and each look at one takes a second. */
function numbers(mostMs: number) {
  const [told, tried]: [string[], number[]] = [[], []];
  let now = 0;
  const failure = new FirstFailure(
    mostMs,
    (difference) => told.push(difference),
    () => now,
  );
  const holds = async (number: number) => {
    now += 1_000;
    tried.push(number);
    if (number > 10) throw new Error(`Expected at most 10, but it is ${number}`);
  };
  const assert = () => fc.assert(fc.asyncProperty(fc.nat(1_000_000), failure.within(holds)), SEED);
  return { told, tried, assert, firstWrong: () => tried.find((number) => number > 10)! };
}

const failed = (assert: () => Promise<void>): Promise<Error> =>
  assert().then(
    () => Promise.reject(new Error('Expected a failure, but there was none')),
    (error: Error) => error,
  );

describe('given a property that fails', () => {
  it('makes it as short as can be if there is time', async () => {
    const { assert } = numbers(3_600_000);
    expect((await failed(assert)).message).toContain('Counterexample: [11]');
  });

  it('ends with the shortest so far once the time is over, and still fails with its seed and its cause', async () => {
    const { tried, assert, firstWrong } = numbers(3_000);
    const error = await failed(assert);
    expect(error.message).toContain('seed: 42');
    expect(error.message).not.toContain('Counterexample: [11]');
    expect(differenceIn(error.cause)).toMatch(/^Expected at most 10, but it is \d+$/);
    expect(tried.length - tried.indexOf(firstWrong())).toBeLessThanOrEqual(4);
  });

  it('tells what differs before it is made shorter', async () => {
    const { told, assert, firstWrong } = numbers(3_600_000);
    await failed(assert);
    expect(told).toEqual([`Expected at most 10, but it is ${firstWrong()}`]);
  });

  it('lets those beside it end, also one that fails later', async () => {
    const { told, tried, assert } = numbers(0);
    const results = await Promise.allSettled([assert(), assert()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(told).toHaveLength(1);
    expect(tried.length).toBeLessThanOrEqual(3);
  });
});

it('what differs comes before the counterexample, which the seed follows', async () => {
  const { assert } = numbers(0);
  const error = await failed(() => assert().catch(differenceFirst('MODEL_SEED=42')));
  expect(error.message).toMatch(/^Expected at most 10, .*\n\nProperty failed(.|\n)*To play .*: MODEL_SEED=42$/);
});

it('an excerpt has no colours, and ends', () => {
  const message = `\u001B[31m${'-'.repeat(3_000)}\u001B[39m`;
  expect(differenceIn(new Error(message))).toBe(`${'-'.repeat(2_000)}…`);
});
