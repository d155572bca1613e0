import { describe, expect, it } from '@jest/globals';
import { searchIn, textIn } from '../src/app/search-text.js';

describe('the search of an address', () => {
  it('is its text', () => {
    expect(searchIn({ q: 'state:failed', queue: 'mail' })).toBe('state:failed');
    expect(searchIn({})).toBeUndefined();
  });

  it('is made of the fields that addresses had before', () => {
    expect(searchIn({ queue: 'mail', state: 'failed', key: 'a b' })).toBe('queue:mail state:failed key:"a b"');
    expect(searchIn({ label: 'team=blue=2' })).toBe('label.team:"blue=2"');
  });
});

it('a number in an address is a text', () => {
  expect([textIn({ at: 7 }, 'at'), textIn({ at: '' }, 'at'), textIn({}, 'at')]).toEqual(['7', undefined, undefined]);
});
