import { afterEach, expect, it, jest } from '@jest/globals';
import { ReadThrottle } from '../../../src/application/history/read-throttle.js';

afterEach(() => void jest.useRealTimers());

it('runs one piece of work at a time, in the order in which they came, also after a failure', async () => {
  const throttle = new ReadThrottle();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error('disk');
  };
  await Promise.allSettled(['a', 'b', 'c'].map((name) => throttle.pass(work(name))));
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('rests after a piece of work as long as it took', async () => {
  jest.useFakeTimers();
  const throttle = new ReadThrottle();
  await throttle.pass(async () => {
    jest.advanceTimersByTime(30);
  });
  let isBegun = false;
  const next = throttle.pass(async () => {
    isBegun = true;
  });
  await jest.advanceTimersByTimeAsync(29);
  expect(isBegun).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await next;
  expect(isBegun).toBe(true);
});
