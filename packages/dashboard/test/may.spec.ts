import { describe, expect, it } from '@jest/globals';
import { allows } from '../src/app/may.js';

const ann = { may: ['read', 'operate:mail', 'enqueue:mail'] };

describe('what a key may do', () => {
  it('is what it may for all queues, in each of them and beside them', () => {
    expect(allows(ann, { permission: 'read' })).toBe(true);
    expect(allows(ann, { permission: 'read', queue: 'sms' })).toBe(true);
  });

  it('is what it may for a queue, in this one alone', () => {
    expect(allows(ann, { permission: 'operate', queue: 'mail' })).toBe(true);
    expect(allows(ann, { permission: 'operate', queue: 'sms' })).toBe(false);
    expect(allows(ann, { permission: 'operate' })).toBe(false);
    expect(allows(ann, { permission: 'deliver' })).toBe(false);
  });
});
