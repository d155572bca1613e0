import { describe, expect, it } from '@jest/globals';
import { eventCodec } from '../../../src/infrastructure/event-codec/event-codec.js';

const task = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e40';
const decoded = (type: string, data: object): object => eventCodec.decode(type, 1, JSON.stringify(data));

describe('events that quoted other tasks in version 1', () => {
  it('are read without what they quoted', () => {
    const report = { batch: 'b', number: 1, more: 0, at: '2026-01-01T00:00:00.000Z' };
    const [named, plain] = [
      { task, name: 'north', state: 'failed' },
      { task, state: 'failed' },
    ];
    expect(
      decoded('BatchReported', { ...report, changes: [{ ...named, from: 'pending' }], incomplete: [named] }),
    ).toEqual({
      type: 'BatchReported',
      version: 2,
      data: { ...report, changes: [{ ...plain, from: 'pending' }], incomplete: [plain] },
    });
    expect(decoded('BatchTaskReported', { batch: 'b', number: 2, ...named })).toEqual({
      type: 'BatchTaskReported',
      version: 2,
      data: { batch: 'b', number: 2, ...plain },
    });
    const pause = { queue: 'mail', by: 'sweeper', reason: 'an attempt failed', until: null };
    expect(decoded('QueuePaused', { ...pause, failure: { taskId: task, message: 'no ink', class: 'bug' } })).toEqual({
      type: 'QueuePaused',
      version: 2,
      data: { ...pause, failure: { taskId: task, class: 'bug' } },
    });
    expect(decoded('QueuePaused', pause)).toEqual({ type: 'QueuePaused', version: 2, data: pause });
  });
});
