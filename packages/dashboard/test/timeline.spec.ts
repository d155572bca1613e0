import { describe, expect, it } from '@jest/globals';
import { classOf } from '../src/tasks/timeline.js';

const drawn = (end: string): string => classOf({ span: { kind: 'running', fromMs: 0, toMs: 1, end }, isFolded: false });

describe('the bar of an attempt', () => {
  it.each(['TaskStepCompleted', 'TaskWaited'])('is no alarm if it ended with %s', (end) => {
    expect(drawn(end)).toBe(drawn('TaskSucceeded'));
  });

  it.each(['TaskFailed', 'TaskLeaseExpired'])('is one if it ended with %s', (end) => {
    expect(drawn(end)).not.toBe(drawn('TaskSucceeded'));
  });
});
