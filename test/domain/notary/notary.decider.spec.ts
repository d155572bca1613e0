import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { nextLogName, numberOf } from '../../../src/domain/notary/log-name.js';
import { type AcceptLoss, notaryDecider } from '../../../src/domain/notary/notary.decider.js';
import type { LastSeal, NotaryEvent } from '../../../src/domain/notary/notary.events.js';

const lost = (size: number, log = 'waybill/a'): LastSeal => ({ log, size, root: 'r', seal: `${log} ${size}` });

const accept = (size: number, found: LastSeal | null): AcceptLoss => ({ type: 'AcceptLoss', size, lost: found });

const accepted = (loss: LastSeal, next: string): NotaryEvent => ({
  type: 'LogLossAccepted',
  version: 1,
  data: { ...loss, next },
});

const given = (...events: readonly NotaryEvent[]) => ({
  when: (command: AcceptLoss) => notaryDecider.decide(command, fold(notaryDecider, events)),
});

describe('the notary', () => {
  it('accepts the loss that was found, and names the next log', () => {
    expect(given().when(accept(3, lost(3)))).toEqual({
      kind: 'accepted',
      events: [accepted(lost(3), 'waybill/a/2')],
    });
  });

  it('accepts no other loss than the one looked at, and none if nothing is lost', () => {
    const refused = (size: number, found: number | null) => ({
      kind: 'rejected',
      rejection: { code: 'LOSS_NOT_FOUND', size, lost: found },
    });
    expect(given().when(accept(4, lost(3)))).toEqual(refused(4, 3));
    expect(given().when(accept(3, null))).toEqual(refused(3, null));
    expect(given(accepted(lost(3), 'waybill/a/2')).when(accept(4, null))).toEqual(refused(4, null));
  });

  it('is told once, also after the next log has begun', () => {
    const told = given(accepted(lost(3), 'waybill/a/2'));
    expect(told.when(accept(3, lost(3)))).toEqual({ kind: 'alreadyDone' });
    expect(told.when(accept(3, null))).toEqual({ kind: 'alreadyDone' });
  });

  it('accepts that the next log is lost, too, also with as many leaves', () => {
    expect(given(accepted(lost(3), 'waybill/a/2')).when(accept(3, lost(3, 'waybill/a/2')))).toEqual({
      kind: 'accepted',
      events: [accepted(lost(3, 'waybill/a/2'), 'waybill/a/3')],
    });
  });

  it.each([
    ['waybill/7c9e6679-7425-40de-944b-e07fc1f90ae7', 1, 'waybill/7c9e6679-7425-40de-944b-e07fc1f90ae7/2'],
    ['waybill/a/2', 2, 'waybill/a/3'],
    ['waybill/a/9', 9, 'waybill/a/10'],
  ])('numbers %s', (name, number, next) => {
    expect([numberOf(name), nextLogName(name)]).toEqual([number, next]);
  });
});
