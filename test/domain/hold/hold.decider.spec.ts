import { describe, expect, it } from '@jest/globals';
import { type HoldCommand, holdDecider, type HoldState } from '../../../src/domain/hold/hold.decider.js';
import type { HoldEvent } from '../../../src/domain/hold/hold.events.js';
import { fold } from '../../../src/domain/kernel/decider.js';

const GIVEN = { hold: 'collection-7', now: '2026-03-01T10:00:00.000Z', by: 'curator', mayErase: false };
const selector = { labels: { collection: '7' } };
const place: HoldCommand = { ...GIVEN, type: 'PlaceHold', selector, reason: 'rights' };
const lift: HoldCommand = { ...GIVEN, type: 'LiftHold' };

/** The state after the commands, each of which must be accepted. */
function after(...commands: readonly HoldCommand[]): HoldState {
  return commands.reduce<HoldState>((state, command) => {
    const decision = holdDecider.decide(command, state);
    if (decision.kind !== 'accepted') throw new Error(`Expected '${command.type}' to be accepted`);
    return fold(holdDecider, decision.events, state);
  }, holdDecider.initialState);
}

const decided = (command: HoldCommand, state: HoldState) => holdDecider.decide(command, state);

describe('a hold', () => {
  it('is placed with its selector, its author and the reason', () => {
    const event: HoldEvent = {
      type: 'HoldPlaced',
      version: 1,
      data: { hold: 'collection-7', selector, by: 'curator', reason: 'rights', at: GIVEN.now },
    };
    expect(decided(place, after())).toEqual({ kind: 'accepted', events: [event] });
  });

  it('stores no reason if there is none', () => {
    const decision = decided({ ...place, reason: null } as HoldCommand, after());
    expect(decision).toMatchObject({ events: [{ data: expect.not.objectContaining({ reason: expect.anything() }) }] });
  });

  it('is placed already if the same hold is placed again, whoever does so', () => {
    expect(decided({ ...place, by: 'another' }, after(place))).toEqual({ kind: 'alreadyDone' });
  });

  it.each([
    ['other labels', { selector: { labels: { collection: '8' } } }],
    ['another reason', { reason: 'embargo' }],
    ['erasure forbidden', { forbidsErasure: true }],
  ])('is placed anew with %s', (_, change) => {
    expect(decided({ ...place, ...change } as HoldCommand, after(place))).toMatchObject({
      events: [{ type: 'HoldPlaced', data: change }],
    });
  });

  it.each([
    ['lifted', lift],
    ['placed anew', place],
  ] as const)('H-52 that forbids erasure is %s only by who may erase', (_, command) => {
    const legal = after({ ...place, forbidsErasure: true } as HoldCommand);
    expect(decided(command, legal)).toEqual({
      kind: 'rejected',
      rejection: { code: 'LEGAL_HOLD_IN_FORCE', hold: 'collection-7' },
    });
    expect(decided({ ...command, mayErase: true }, legal)).toMatchObject({ kind: 'accepted' });
  });

  it('is lifted once, and can be placed again after that', () => {
    expect(decided(lift, after(place))).toMatchObject({ events: [{ type: 'HoldLifted', data: { by: 'curator' } }] });
    expect(decided(lift, after(place, lift))).toEqual({ kind: 'alreadyDone' });
    expect(decided(place, after(place, lift))).toMatchObject({ kind: 'accepted' });
  });

  it('cannot be lifted if it was never placed', () => {
    expect(decided(lift, after())).toEqual({
      kind: 'rejected',
      rejection: { code: 'HOLD_NOT_FOUND', hold: 'collection-7' },
    });
  });
});
