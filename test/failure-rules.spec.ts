import { describe, expect, it } from '@jest/globals';
import { failureRulesOf, faultInRules } from '../src/bootstrap/failure-rules.js';
import { outline } from '../src/domain/kernel/fingerprint.js';

const RULE = { match: 'status (\\d)\\d\\d', as: 'status $1xx' };

describe('rules for messages that group badly', () => {
  it('take the place of the outline', () => {
    const rules = failureRulesOf([RULE, { match: 'status .*', as: 'other' }]);
    expect(['status 404', 'status 410', 'status gone', 'gone'].map((message) => outline(message, rules))).toEqual([
      'status 4xx',
      'status 4xx',
      'other',
      'gone',
    ]);
  });

  it('may be none, and up to a hundred', () => {
    expect(faultInRules([])).toBeNull();
    expect(faultInRules(Array.from({ length: 100 }, () => RULE))).toBeNull();
  });

  it.each([
    ['no list', { match: 'a', as: 'b' }, 'it is no JSON array'],
    ['too many', Array.from({ length: 101 }, () => RULE), 'it has 101 rules, and 100 are allowed'],
    ['no rule', [RULE, null], "rule 2 has no 'match' and 'as' of 1 to 500 characters"],
    ['no text', [{ match: 'a', as: 1 }], "rule 1 has no 'match' and 'as' of 1 to 500 characters"],
    ['an empty text', [{ match: '', as: 'b' }], "rule 1 has no 'match' and 'as' of 1 to 500 characters"],
    ['a long text', [{ match: 'a'.repeat(501), as: 'b' }], "rule 1 has no 'match' and 'as' of 1 to 500 characters"],
    ['an unknown member', [{ ...RULE, flags: 'i' }], "rule 1 has 'flags', which is unknown"],
    ['a match of everything', [{ match: 'a*', as: 'b' }], 'rule 1 matches every message'],
    [
      'no expression',
      [{ match: '(', as: 'b' }],
      expect.stringMatching(/^rule 1 has no regular expression as 'match': /),
    ],
  ])('are refused with %s', (_, rules, fault) => {
    expect(faultInRules(rules)).toEqual(fault);
  });
});
