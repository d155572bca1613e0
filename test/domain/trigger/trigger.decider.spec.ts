import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { TriggerCommand } from '../../../src/domain/trigger/trigger.commands.js';
import { triggerDecider } from '../../../src/domain/trigger/trigger.decider.js';
import type { TriggerDefinition, TriggerEvent } from '../../../src/domain/trigger/trigger.events.js';

const trigger = 'nightly';
const [FIRST, SECOND] = ['2026-03-01T02:00:00.000Z', '2026-03-02T02:00:00.000Z'];
const at = '2026-03-01T02:00:00.100Z';
const definition: TriggerDefinition = {
  cron: '0 2 * * *',
  timeZone: 'UTC',
  description: '',
  missed: 'latest',
  task: { queue: 'reports' },
};
const changed = { ...definition, description: 'sales' };

const defined: TriggerEvent = { type: 'TriggerDefined', version: 1, data: { trigger, definition, next: FIRST } };
const disabled: TriggerEvent = { type: 'TriggerDisabled', version: 1, data: { trigger } };
const deleted: TriggerEvent = { type: 'TriggerDeleted', version: 1, data: { trigger } };
const firings = [{ occurrence: FIRST, task: 't1' }];
const fired: TriggerEvent = { type: 'TriggerFired', version: 1, data: { trigger, firings, at, next: SECOND } };
const failed = (failures: number, retryAt: string): TriggerEvent => ({
  type: 'TriggerFailed',
  version: 1,
  data: { trigger, occurrence: FIRST, failures, problem: { code: 'INTAKE_CLOSED' }, retryAt },
});

const record: TriggerCommand = { type: 'RecordFirings', trigger, from: FIRST, firings, at, next: SECOND };
const skip: TriggerCommand = { type: 'SkipOccurrence', trigger, from: FIRST, next: SECOND };
const fail: TriggerCommand = { type: 'RecordFailure', trigger, from: FIRST, problem: { code: 'INTAKE_CLOSED' }, at };
const byHand: TriggerCommand = { type: 'RecordManualFiring', trigger, firing: firings[0]!, at };
const define: TriggerCommand = { type: 'DefineTrigger', trigger, definition, next: SECOND };
const enable: TriggerCommand = { type: 'EnableTrigger', trigger, next: SECOND };
const disable: TriggerCommand = { type: 'DisableTrigger', trigger };
const remove: TriggerCommand = { type: 'DeleteTrigger', trigger };

const given = (...history: readonly TriggerEvent[]) => ({
  when: (command: TriggerCommand) => triggerDecider.decide(command, fold(triggerDecider, history)),
});
const recorded = (event: object) => ({ kind: 'accepted', events: [expect.objectContaining(event)] });
const NOT_FOUND = { kind: 'rejected', rejection: { code: 'TRIGGER_NOT_FOUND', trigger } };
const DONE = { kind: 'alreadyDone' };

describe('a trigger', () => {
  it.each([
    ['is defined', [], define, recorded({ type: 'TriggerDefined' })],
    ['is defined again after its deletion', [defined, deleted], define, recorded({ type: 'TriggerDefined' })],
    ['stays as it is if it is defined alike', [defined], define, DONE],
    [
      'waits for the next occurrence of a changed definition',
      [defined],
      { ...define, definition: changed },
      recorded({ type: 'TriggerChanged', data: { trigger, definition: changed, next: SECOND } }),
    ],
    [
      'stays disabled when it is changed',
      [defined, disabled],
      { ...define, definition: changed },
      recorded({ type: 'TriggerChanged', data: { trigger, definition: changed, next: null } }),
    ],
    ['is disabled once', [defined, disabled], disable, DONE],
    [
      'is enabled again',
      [defined, disabled],
      enable,
      recorded({ type: 'TriggerEnabled', data: { trigger, next: SECOND } }),
    ],
    ['is enabled once', [defined], enable, DONE],
    ['is deleted once', [defined, deleted], remove, DONE],
  ] as [string, TriggerEvent[], TriggerCommand, object][])('%s', (_, history, command, outcome) => {
    expect(given(...history).when(command)).toEqual(outcome);
  });

  it.each([enable, disable, remove, byHand, record, skip, fail])('must exist for $type', (command) => {
    expect(given().when(command)).toEqual(NOT_FOUND);
  });
});

describe('an occurrence', () => {
  it.each([
    [record, 'TriggerFired'],
    [skip, 'TriggerSkipped'],
    [fail, 'TriggerFailed'],
  ] as const)('is recorded once, whoever reports it first: $type', (command, type) => {
    expect(given(defined).when(command)).toEqual(recorded({ type }));
    expect(given(defined, fired).when(command)).toEqual(DONE);
    expect(given(defined, disabled).when(command)).toEqual(DONE);
  });

  it('is tried again later and later, up to 640 s', () => {
    const delays: number[] = [];
    const history: TriggerEvent[] = [defined];
    for (let n = 0; n < 9; n++) {
      const decision = given(...history).when(fail);
      const [event] = (decision as { readonly events: readonly TriggerEvent[] }).events;
      history.push(event!);
      delays.push(Date.parse((event!.data as { readonly retryAt: string }).retryAt) - Date.parse(at));
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 640, 640].map((seconds) => seconds * 1_000));
  });

  it('that fired ends the count of failures', () => {
    const after = given(defined, failed(3, at), fired).when({ ...fail, from: SECOND });
    expect(after).toEqual(recorded({ data: expect.objectContaining({ failures: 1 }) }));
  });
});

describe('a firing by hand', () => {
  it('changes nothing about the occurrences, and is recorded once for each task', () => {
    const decision = given(defined, disabled).when(byHand);
    expect(decision).toEqual(recorded({ type: 'TriggerFired', data: { trigger, firings, at } }));
    const [event] = (decision as { readonly events: readonly TriggerEvent[] }).events;
    expect(given(defined, event!).when(record)).toEqual(recorded({ type: 'TriggerFired' }));
    expect(given(defined, event!).when(byHand)).toEqual(DONE);
  });
});

describe('a trigger that looks into a queue', () => {
  const looks: TriggerDefinition = {
    queue: 'items',
    batchSize: 5,
    every: 30,
    description: '',
    task: { queue: 'jobs' },
  };
  const began: TriggerEvent = { type: 'TriggerDefined', version: 1, data: { trigger, definition: looks, next: FIRST } };
  const waitsFor = (failures: number) => {
    const [event] = (given(began, failed(failures, SECOND)).when(fail) as unknown as { events: TriggerEvent[] }).events;
    return (Date.parse((event!.data as { retryAt: string }).retryAt) - Date.parse(at)) / 1_000;
  };

  it('records the items of a job with its firing, and the last of them stays known', () => {
    const withItems = [{ ...firings[0]!, items: ['i1', 'i2'] }];
    expect(given(began).when({ ...record, firings: withItems })).toEqual(
      recorded({ type: 'TriggerFired', data: { trigger, firings: withItems, at, next: SECOND } }),
    );
  });

  it('waits two of its intervals after a failure, twice as long after each further one, and 64 at most', () => {
    expect([1, 2, 5, 6, 100].map((failures) => waitsFor(failures - 1))).toEqual([60, 120, 960, 1_920, 1_920]);
  });
});
