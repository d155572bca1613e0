import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { type SystemCommand, systemDecider } from '../../../src/domain/system/system.decider.js';
import type { Drain, SystemEvent } from '../../../src/domain/system/system.events.js';

const at = '2026-03-01T00:00:00.000Z';
const later = '2026-03-01T00:05:00.000Z';
const CLOSED: Drain = { intake: 'closed', running: 'finish' };
const drained: SystemEvent = {
  type: 'SystemDrained',
  version: 1,
  data: { ...CLOSED, by: 'ann', reason: 'deploy', at },
};
const resumed = (stopped: boolean): SystemEvent => ({ type: 'SystemResumed', version: 1, data: { stopped } });

const quiesced: SystemEvent = { type: 'SystemQuiesced', version: 1, data: { at: later } };
const quiesce = (since = at): SystemCommand => ({ type: 'QuiesceSystem', since, now: later });

const drain = (more: Partial<Drain> = {}): SystemCommand => ({
  type: 'DrainSystem',
  now: at,
  by: 'ann',
  reason: 'deploy',
  drain: { ...CLOSED, ...more },
});
const resume = (stopped: boolean): SystemCommand => ({ type: 'ResumeSystem', stopped });

const decided = (history: readonly SystemEvent[], command: SystemCommand) =>
  systemDecider.decide(command, fold(systemDecider, history));

describe('the system', () => {
  it('is drained, with who did it, why and when', () => {
    expect(decided([], drain())).toEqual({ kind: 'accepted', events: [drained] });
  });

  it('is drained once', () => {
    expect(decided([drained], drain())).toMatchObject({ kind: 'alreadyDone' });
  });

  it('may be drained again with another choice', () => {
    expect(decided([drained], drain({ running: 'cancel' }))).toMatchObject({ kind: 'accepted' });
  });

  it('is quiet once a drain, of the drain that was looked at', () => {
    expect(decided([drained], quiesce())).toEqual({ kind: 'accepted', events: [quiesced] });
    for (const history of [[], [drained, quiesced], [drained, resumed(true)]])
      expect(decided(history, quiesce())).toMatchObject({ kind: 'alreadyDone' });
    expect(decided([drained], quiesce(later))).toMatchObject({ kind: 'alreadyDone' });
    expect(decided([drained, quiesced, drained], quiesce())).toMatchObject({ kind: 'accepted' });
  });

  it('is not drained once more because it is quiet', () => {
    expect(decided([drained, quiesced], drain())).toMatchObject({ kind: 'alreadyDone' });
  });

  it('is resumed, with or without what was stopped', () => {
    for (const stopped of [true, false])
      expect(decided([drained], resume(stopped))).toEqual({ kind: 'accepted', events: [resumed(stopped)] });
  });

  it('is resumed once, unless tasks are to be retried that a worker stopped by itself', () => {
    expect(decided([drained, resumed(true)], resume(false))).toMatchObject({ kind: 'alreadyDone' });
    expect(decided([], resume(true))).toEqual({ kind: 'accepted', events: [resumed(true)] });
  });
});
