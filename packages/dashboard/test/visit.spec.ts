import { expect, it } from '@jest/globals';
import { type Visit, visitsIn, withVisit } from '../src/app/visit.js';

const task = (id: string): Visit => ({ sort: 'task', id });

it('has the last visit first, and none of its page before', () => {
  const seen = [task('a'), { sort: 'queue', id: 'a' } as const, task('b')];
  expect(withVisit(seen, task('b'))).toEqual([task('b'), task('a'), { sort: 'queue', id: 'a' }]);
});

it('keeps twenty', () => {
  const seen = Array.from({ length: 20 }, (_, at) => task(String(at)));
  const after = withVisit(seen, task('new'));
  expect([after.length, after[0], after.at(-1)]).toEqual([20, task('new'), task('18')]);
});

it('is read by whose it is', () => {
  const text = JSON.stringify({ of: 'ann', visits: [task('a')] });
  expect(visitsIn(text, 'ann')).toEqual([task('a')]);
  expect(visitsIn(text, 'bob')).toEqual([]);
});

it.each([
  '',
  '{',
  'null',
  '[]',
  '{"of":"ann"}',
  '{"of":"ann","visits":{}}',
  '{"of":"ann","visits":[null]}',
  '{"of":"ann","visits":[{"sort":"person","id":"a"},{"sort":"task"}]}',
])('reads none of %j', (text) => expect(visitsIn(text, 'ann')).toEqual([]));
