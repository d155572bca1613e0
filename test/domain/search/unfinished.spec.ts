import { describe, expect, it } from '@jest/globals';
import { parseSearch } from '../../../src/domain/search/parse-search.js';
import { unfinishedIn, writtenValue } from '../../../src/domain/search/unfinished.js';

const field = (text: string, at: number, before = '') => ({ is: 'field', text, at, before });
const value = (name: string, text: string, at: number, before = '') => ({ is: 'value', field: name, text, at, before });

describe('what somebody is writing at the end of a search', () => {
  it.each([
    ['', field('', 0)],
    ['que', field('que', 0)],
    ['state:failed ', field('', 13, 'state:failed')],
    ['state:failed que', field('que', 13, 'state:failed')],
    ['queue:', value('queue', '', 6)],
    ['queue:ma', value('queue', 'ma', 6)],
    ['kind:a,b', value('kind', 'b', 7)],
    ['kind:"a b",c', value('kind', 'c', 11)],
    ['label.customer:ac', value('label.customer', 'ac', 15)],
    ['kind:x error:"timed o', value('error', 'timed o', 13, 'kind:x')],
    ['error:"say \\"no', value('error', 'say "no', 6)],
    ['error:"a queue:b', value('error', 'a queue:b', 6)],
    ['"closed word" queue:m', value('queue', 'm', 20, '"closed word"')],
  ])('in %j is %j', (search, expected) => {
    expect(unfinishedIn(search)).toEqual(expected);
  });

  it.each([['kind:"a b"'], ['word,an'], ['"open word'], ['ended>1'], ['a"b']])(
    'in %j is nothing to be suggested',
    (search) => {
      expect(unfinishedIn(search)).toBeNull();
    },
  );
});

describe('a value as it is written in a search', () => {
  it.each([
    ['mail', 'mail'],
    ['a b', '"a b"'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say \\"no\\""'],
    ['back\\slash x', '"back\\\\slash x"'],
    ['end*', '"end*"'],
    ['a:b', 'a:b'],
  ])('is %j in %j', (text, written) => {
    expect(writtenValue(text)).toBe(written);
    expect(parseSearch(`kind:${written}`)).toMatchObject([{ values: [{ text, isPrefix: false }] }]);
  });
});
