import { describe, expect, it } from '@jest/globals';
import { differencesOf } from '../src/words/index.js';

describe('the differences of two JSON values', () => {
  it('are the places that were changed, added and removed, by name', () => {
    const before = { order: 7, amount: { value: 10, currency: 'EUR' }, gone: true };
    const after = { order: 7, amount: { value: 12, currency: 'EUR' }, added: [1] };
    expect(differencesOf(before, after)).toEqual([
      { path: 'added', before: undefined, after: [1] },
      { path: 'amount.value', before: 10, after: 12 },
      { path: 'gone', before: true, after: undefined },
    ]);
  });

  it('compare lists place by place, and a list with an object as a whole', () => {
    expect(differencesOf({ items: [{ sku: 'a' }, 2] }, { items: [{ sku: 'b' }] })).toEqual([
      { path: 'items[0].sku', before: 'a', after: 'b' },
      { path: 'items[1]', before: 2, after: undefined },
    ]);
    expect(differencesOf([], {})).toEqual([{ path: '', before: [], after: {} }]);
  });

  it('are none for equal values, and keep null apart from what is absent', () => {
    expect(differencesOf({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
    expect(differencesOf({ a: null }, {})).toEqual([{ path: 'a', before: null, after: undefined }]);
  });

  it('are not fooled by names that every object has', () => {
    expect(differencesOf({}, { constructor: 1 })).toEqual([{ path: 'constructor', before: undefined, after: 1 }]);
  });
});
