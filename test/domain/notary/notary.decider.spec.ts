import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { nextLogName, numberOf } from '../../../src/domain/seals/log-name.js';
import {
  type AcceptLoss,
  notaryDecider,
  type NotaryCommand,
  type RetireKey,
} from '../../../src/domain/notary/notary.decider.js';
import type { LastSeal, LogKey, NotaryEvent } from '../../../src/domain/notary/notary.events.js';

const lost = (size: number, log = 'waybill/a'): LastSeal => ({ log, size, root: 'r', seal: `${log} ${size}` });

const accept = (size: number, found: LastSeal | null): AcceptLoss => ({ type: 'AcceptLoss', size, lost: found });

const accepted = (loss: LastSeal, next: string): NotaryEvent => ({
  type: 'LogLossAccepted',
  version: 1,
  data: { ...loss, next },
});

const given = (...events: readonly NotaryEvent[]) => ({
  when: (command: NotaryCommand) => notaryDecider.decide(command, fold(notaryDecider, events)),
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

  const key = (log: string): LogKey => ({ log, publicKey: `${log}+00000001+AQ==` });
  const retire = (log: string, sealed: LogKey | null): RetireKey => ({ type: 'RetireKey', log, sealed });
  const retired = (log: string, next: string): NotaryEvent => ({
    type: 'NotaryKeyRetired',
    version: 1,
    data: { ...key(log), next },
  });

  it('retires the key of the log that is sealed, and names the next log', () => {
    expect(given().when(retire('waybill/a', key('waybill/a')))).toEqual({
      kind: 'accepted',
      events: [retired('waybill/a', 'waybill/a/2')],
    });
  });

  it('retires a key once, also before the next log has begun', () => {
    const once = given(retired('waybill/a', 'waybill/a/2'));
    for (const sealed of [key('waybill/a'), key('waybill/a/2'), null])
      expect(once.when(retire('waybill/a', sealed))).toEqual({ kind: 'alreadyDone' });
    expect(once.when(retire('waybill/a/2', key('waybill/a/2')))).toEqual({
      kind: 'accepted',
      events: [retired('waybill/a/2', 'waybill/a/3')],
    });
  });

  it.each([null, key('waybill/a/2')])('retires no key but the one looked at: %j is sealed', (sealed) => {
    expect(given().when(retire('waybill/a', sealed))).toEqual({
      kind: 'rejected',
      rejection: { code: 'LOG_NOT_SEALED', log: 'waybill/a', sealed: sealed?.log ?? null },
    });
  });

  it('knows what was told of losses after a key was retired, and of keys after a loss', () => {
    const told = given(retired('waybill/a', 'waybill/a/2'), accepted(lost(3, 'waybill/a/2'), 'waybill/a/3'));
    expect(told.when(accept(3, null))).toEqual({ kind: 'alreadyDone' });
    expect(told.when(retire('waybill/a', null))).toEqual({ kind: 'alreadyDone' });
  });

  it.each([
    ['waybill/7c9e6679-7425-40de-944b-e07fc1f90ae7', 1, 'waybill/7c9e6679-7425-40de-944b-e07fc1f90ae7/2'],
    ['waybill/a/2', 2, 'waybill/a/3'],
    ['waybill/a/9', 9, 'waybill/a/10'],
  ])('numbers %s', (name, number, next) => {
    expect([numberOf(name), nextLogName(name)]).toEqual([number, next]);
  });
});
