import { afterEach, expect, it, jest } from '@jest/globals';
import { Lane } from '../../../src/application/history/lane.js';

afterEach(() => void jest.useRealTimers());

it('runs one piece of work at a time, in the order in which they came, also after a failure', async () => {
  const lane = new Lane();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error('disk');
  };
  await Promise.allSettled(['a', 'b', 'c'].map((name) => lane.pass(work(name))));
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('rests after a piece of work as long as it took', async () => {
  jest.useFakeTimers();
  const lane = new Lane();
  await lane.pass(async () => {
    jest.advanceTimersByTime(30);
  });
  let isBegun = false;
  const next = lane.pass(async () => {
    isBegun = true;
  });
  await jest.advanceTimersByTimeAsync(29);
  expect(isBegun).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await next;
  expect(isBegun).toBe(true);
});
