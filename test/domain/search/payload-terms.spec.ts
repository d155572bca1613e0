import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/domain/kernel/json.js';
import { LONGEST_TERM, payloadTerms } from '../../../src/domain/search/payload-terms.js';

describe('the terms of a payload', () => {
  it.each<[string, Json | undefined, readonly string[], Record<string, string> | null]>([
    [
      'texts at paths',
      { customer: 'acme', order: { id: 'o-1' } },
      ['customer', 'order.id'],
      { customer: 'acme', 'order.id': 'o-1' },
    ],
    [
      'numbers and truth values as JSON writes them',
      { n: 12.5, big: 1e21, ok: false },
      ['n', 'big', 'ok'],
      { n: '12.5', big: '1e+21', ok: 'false' },
    ],
    [
      'no objects, lists, nulls and empty texts',
      { o: {}, l: ['a'], none: null, empty: '' },
      ['o', 'l', 'none', 'empty', 'lacking'],
      null,
    ],
    ['nothing within lists', { items: [{ id: 1 }] }, ['items.0', 'items.0.id', 'items.length'], null],
    ['nothing that is inherited', { a: 'b' }, ['constructor.name', '__proto__', 'a.length'], null],
    ['nothing without paths', { customer: 'acme' }, [], null],
    ['nothing of another payload', 'acme', ['length', '0'], null],
    ['nothing of none', undefined, ['customer'], null],
    [
      'a value of the longest length alone',
      { a: 'x'.repeat(LONGEST_TERM), b: 'x'.repeat(LONGEST_TERM + 1) },
      ['a', 'b'],
      { a: 'x'.repeat(LONGEST_TERM) },
    ],
    [
      'no text that an index refuses',
      { nul: 'a\0b', half: '\ud800', whole: '😀' },
      ['nul', 'half', 'whole'],
      { whole: '😀' },
    ],
  ])('are %s', (_, payload, paths, terms) => {
    expect(payloadTerms(payload, paths)).toEqual(terms);
  });
});
