import { describe, expect, it } from '@jest/globals';
import {
  type FailureGroupCommand,
  failureGroupDecider,
  type FailureGroupState,
} from '../../../src/domain/failure-group/failure-group.decider.js';
import { fold } from '../../../src/domain/kernel/decider.js';

const GROUP = 'g3fa9c01d22b7e48';
const now = '2026-11-27T10:00:00.000Z';
const given = { group: GROUP, by: 'ann', reason: null, now } as const;
const RESOLVE = { ...given, type: 'ResolveFailureGroup', build: 'b2', operation: null } as const;
const IGNORE = { ...given, type: 'IgnoreFailureGroup' } as const;
const REOPEN = { ...given, type: 'ReopenFailureGroup' } as const;
const RETURN = { type: 'ReturnFailureGroup', group: GROUP, queue: 'mail', task: 't', resolvedAt: now } as const;

function after(...commands: readonly FailureGroupCommand[]): FailureGroupState {
  return commands.reduce((state, command) => {
    const decision = failureGroupDecider.decide(command, state);
    return decision.kind === 'accepted' ? fold(failureGroupDecider, decision.events, state) : state;
  }, failureGroupDecider.initialState);
}

const kindAfter = (before: readonly FailureGroupCommand[], command: FailureGroupCommand) =>
  failureGroupDecider.decide(command, after(...before)).kind;

describe('a group of failures', () => {
  it('is open until somebody says otherwise', () => {
    expect(after()).toEqual({ status: 'open' });
    expect(after(RESOLVE)).toEqual({ status: 'resolved', at: now, build: 'b2', operation: null });
    expect(after(IGNORE)).toEqual({ status: 'ignored' });
    expect(after(RESOLVE, IGNORE, REOPEN)).toEqual({ status: 'open' });
  });

  it('records who said so, and why', () => {
    const decision = failureGroupDecider.decide({ ...RESOLVE, reason: 'fixed' }, after());
    const data = { group: GROUP, by: 'ann', at: now, reason: 'fixed', build: 'b2' };
    expect(decision).toEqual({ kind: 'accepted', events: [{ type: 'FailureGroupResolved', version: 1, data }] });
  });

  it.each([
    [[RESOLVE], RESOLVE],
    [[IGNORE], IGNORE],
    [[], REOPEN],
  ])('takes a repeated command as done', (before, command) => {
    expect(kindAfter(before, command)).toBe('alreadyDone');
  });

  it('is resolved again if what repaired it is corrected', () => {
    expect(kindAfter([RESOLVE], { ...RESOLVE, build: 'b3' })).toBe('accepted');
  });

  it('comes back from the resolution that the failure came after', () => {
    expect(kindAfter([RESOLVE], RETURN)).toBe('accepted');
    expect(after(RESOLVE, RETURN)).toEqual({ status: 'open' });
  });

  it.each([
    ['an open group', []],
    ['an ignored group', [RESOLVE, IGNORE]],
    ['a group that was resolved again', [{ ...RESOLVE, now: '2026-11-27T11:00:00.000Z' }]],
    ['a group that came back already', [RESOLVE, RETURN]],
  ])('does not come back from %s', (_, before) => {
    expect(kindAfter(before, RETURN)).toBe('alreadyDone');
  });
});
