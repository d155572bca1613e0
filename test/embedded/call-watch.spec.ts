import { jest } from '@jest/globals';
import { CallWatch } from '../../src/in-process/call-watch.js';

/** Longer than a timer of Node can wait. */
const DAYS_30 = 30 * 86_400_000;

afterEach(() => void jest.useRealTimers());

it('given a time-out that is longer than any timer, a call in process ends when it has passed', () => {
  jest.useFakeTimers();
  const watch = new CallWatch([], { ms: DAYS_30, reason: () => new Error('too late') });
  jest.advanceTimersByTime(DAYS_30 - 1);
  expect(watch.signal.aborted).toBe(false);
  jest.advanceTimersByTime(1);
  expect(watch.signal.aborted).toBe(true);
});
