import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/domain/kernel/json.js';
import { classOf } from '../../../src/domain/task/error-class.js';

describe('the class of an error', () => {
  it.each<[string, Json | undefined, string]>([
    ['No tax number', undefined, 'application'],
    ['No tax number', { failure_reason: 'business' }, 'business'],
    ['No tax number', { reason: 'BUSINESS' }, 'business'],
    ['No tax number', { type: 'BusinessRuleException' }, 'business'],
    ['No tax number', { type: 'business', invoice: 7 }, 'business'],
    ['A business rule forbids it', undefined, 'business'],
    ['BUSINESS: no tax number', { invoice: 7 }, 'business'],
    ['Out of business', { type: 'application' }, 'application'],
    ['Out of business', { reason: ' Transient ' }, 'transient'],
    ['Out of business', { reason: 'the store is closed' }, 'business'],
    ['No tax number', { failure_reason: 'the store is closed', type: 'bug' }, 'bug'],
    ['No tax number', { failure_reason: 'bug', reason: 'business' }, 'bug'],
    ['No tax number', { failure_reason: null, reason: 7, type: { is: 'business' } }, 'application'],
    ['No tax number', '{"type": "business"}', 'business'],
    ['No tax number', '"business"', 'application'],
    ['No tax number', 'business, not JSON', 'application'],
    ['No tax number', ['business'], 'application'],
    ['No tax number', null, 'application'],
    ['No tax number', { note: 'business' }, 'application'],
  ])("of '%s' with %j is guessed: %s", (message, details, guessed) => {
    expect(classOf({ message, details }, 'guessed')).toBe(guessed);
    expect(classOf({ message, details }, 'given')).toBe('application');
  });

  it.each(['business', 'application', 'transient', 'bug'] as const)('is the given one: %s', (given) => {
    const error = { message: 'business', class: given, details: { type: 'business' } };
    expect([classOf(error, 'guessed'), classOf(error, 'given')]).toEqual([given, given]);
  });
});
