import { describe, expect, it } from '@jest/globals';
import type { BatchReport } from '@waybill/client';
import { saidBy, whyNoReport } from '../src/batches/report-words.js';

const report = (more: object) =>
  saidBy({
    about: 'batch',
    counts: { total: 8, succeeded: 5, deleted: 1 },
    changes: [],
    more: 0,
    incomplete: [],
    ...more,
  } as unknown as BatchReport);

describe('what a report says', () => {
  it('is how many are complete, what changed, and what is not', () => {
    expect(report({})).toBe('5 of 7 complete');
    expect(report({ changes: [{ from: 'failed' }], more: 2 })).toBe('5 of 7 complete; 3 changed');
    expect(report({ incomplete: [{ name: 'publish', task: '7' }, { task: '8' }] })).toBe(
      '5 of 7 complete; not complete: publish, 8',
    );
    const six = Array.from({ length: 6 }, (_, n) => ({ task: `${n}` }));
    expect(report({ incomplete: six })).toBe('5 of 7 complete; not complete: 0, 1, 2, 3, 4 and others');
  });

  it('is the state of a task that ran again by itself', () => {
    expect(report({ about: 'task', counts: null, changes: [{ task: '7', name: 'publish', state: 'succeeded' }] })).toBe(
      'publish, run again: succeeded',
    );
  });
});

describe('a batch without a report', () => {
  it.each([
    ['running', null, 'No reports yet: it reports when all its tasks have ended.'],
    ['aborted', null, 'No reports: the batch was aborted before it ended.'],
    ['failed', 'no such folder', 'No reports: the batch was never opened, because it could not be planned.'],
  ] as const)('that is %s says why', (state, error, words) => {
    expect(whyNoReport({ state, error })).toBe(words);
  });
});
