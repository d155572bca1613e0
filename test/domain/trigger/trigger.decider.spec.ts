import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { TriggerCommand, TriggerCommandOf } from '../../../src/domain/trigger/trigger.commands.js';
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

const came = { trigger, definition, from: FIRST };
const record: TriggerCommandOf<'RecordFirings'> = { type: 'RecordFirings', ...came, firings, at, next: SECOND };
const skip: TriggerCommand = { type: 'SkipOccurrence', ...came, next: SECOND };
const fail: TriggerCommandOf<'RecordFailure'> = {
  type: 'RecordFailure',
  ...came,
  problem: { code: 'INTAKE_CLOSED' },
  at,
};
const byHand: TriggerCommand = { type: 'RecordManualFiring', trigger, firing: firings[0]!, at };
const define: TriggerCommandOf<'DefineTrigger'> = {
  type: 'DefineTrigger',
  trigger,
  definition,
  next: SECOND,
  open: null,
  head: '40',
};
const enable: TriggerCommand = { type: 'EnableTrigger', trigger, next: SECOND };
const disable: TriggerCommand = { type: 'DisableTrigger', trigger, open: null };
const remove: TriggerCommand = { type: 'DeleteTrigger', trigger, open: null };

const given = (...history: readonly TriggerEvent[]) => ({
  when: (command: TriggerCommand) => triggerDecider.decide(command, fold(triggerDecider, history)),
});
const recorded = (event: object) => ({ kind: 'accepted', events: [expect.objectContaining(event)] });
const NOT_FOUND = { kind: 'rejected', rejection: { code: 'TRIGGER_NOT_FOUND', trigger } };
const DONE = { kind: 'alreadyDone' };

describe('a trigger that tells changes', () => {
  const { task: _task, ...times } = definition;
  const changes = { ...times, changes: { queue: 'mail', to: { mail: { to: ['ann@example.com'] } } } };
  const tells: TriggerCommand = { ...define, definition: changes };
  const eventsOf = (command: TriggerCommand, ...history: readonly TriggerEvent[]) => {
    const decision = given(...history).when(command);
    return decision.kind === 'accepted' ? decision.events : [];
  };
  const upToAfter = (...history: readonly TriggerEvent[]) => fold(triggerDecider, history);

  it('begins at the end of the log, when it is defined and when it tells them instead of something else', () => {
    const [first] = eventsOf(tells);
    expect(first).toMatchObject({ type: 'TriggerDefined', data: { changesAfter: '40' } });
    expect(upToAfter(first!)).toMatchObject({ upTo: '40' });
    const [before] = eventsOf(define);
    expect(before!.data).not.toHaveProperty('changesAfter');
    const [changed] = eventsOf({ ...tells, head: '50' }, before!);
    expect(changed).toMatchObject({ type: 'TriggerChanged', data: { changesAfter: '50' } });
    expect(upToAfter(before!, changed!)).toMatchObject({ upTo: '50' });
  });

  it('goes on where the last recorded delivery ended, also with another definition', () => {
    const [first] = eventsOf({ ...tells, next: FIRST } as typeof tells);
    const firing = { occurrence: FIRST, task: firings[0]!.task, upTo: '45' };
    const [fired] = eventsOf({ ...record, definition: changes, firings: [firing] }, first!);
    expect(upToAfter(first!, fired!)).toMatchObject({ upTo: '45', next: SECOND, last: firing });
    const [changed] = eventsOf(
      { ...tells, definition: { ...changes, description: 'other' }, head: '60' },
      first!,
      fired!,
    );
    expect(changed!.data).not.toHaveProperty('changesAfter');
    expect(upToAfter(first!, fired!, changed!)).toMatchObject({ upTo: '45' });
  });

  it('stays where it is when a person fires it', () => {
    const [first] = eventsOf(tells);
    const [fired] = eventsOf(byHand, first!);
    expect(upToAfter(first!, fired!)).toMatchObject({ upTo: '40' });
  });
});

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

describe('an open occurrence', () => {
  const OTHER = { ...definition, cron: '0 3 * * *' };
  const THIRD = '2026-03-03T02:00:00.000Z';
  const open = { newest: [FIRST, SECOND], older: null };
  const older = { count: 4_220, from: '2026-01-01T02:00:00.000Z', to: '2026-02-28T02:00:00.000Z' };
  const asked = { ...define, next: THIRD, open };
  const waiting: TriggerEvent = { ...defined, data: { ...defined.data, next: FIRST } } as TriggerEvent;
  const eventOf = (history: readonly TriggerEvent[], command: TriggerCommand) =>
    (given(...history).when(command) as unknown as { readonly events: readonly TriggerEvent[] }).events[0]!;

  it.each([
    ['with the pattern as it was: the trigger still waits for it', changed, { next: FIRST }],
    ['with another pattern: it is owed', OTHER, { next: THIRD, owed: [FIRST, SECOND] }],
  ] as const)('is kept by a change %s', (_, now, kept) => {
    const command: TriggerCommand = { ...asked, definition: now };
    expect(eventOf([waiting, failed(2, SECOND)], command)).toEqual({
      type: 'TriggerChanged',
      version: 1,
      data: { trigger, definition: now, ...kept },
    });
  });

  it('is still owed after another change, and fires by the latest definition', () => {
    const owed = eventOf([waiting], { ...asked, definition: OTHER });
    const again = eventOf([waiting, owed], { ...asked, definition: { ...OTHER, description: 'sales' } });
    expect(again.data).toMatchObject({ next: THIRD, owed: [FIRST, SECOND] });
    const firing = { ...record, definition: { ...OTHER, description: 'sales' } };
    expect(given(waiting, owed, again).when(firing)).toEqual(recorded({ type: 'TriggerFired' }));
    const after = fold(triggerDecider, [waiting, owed, again, eventOf([waiting, owed, again], firing)]);
    expect(after).toMatchObject({ next: SECOND, owed: null });
  });

  it.each([
    [{ event: { types: ['TaskFailed'] }, description: '', mail: { to: ['ann@example.com'] } }, null],
    [{ queue: 'items', batchSize: 1, every: 30, description: '', task: { queue: 'jobs' } }, THIRD],
  ] as const)('is dropped by name if the trigger no longer has times: %j', (now, next) => {
    const command: TriggerCommand = { ...asked, definition: now, next, open: { ...open, older } };
    const dropped = { count: 4_222, from: older.from, to: SECOND };
    expect(eventOf([waiting], command).data).toEqual({ trigger, definition: now, next, dropped });
  });

  it.each([disable, remove])('is dropped by name: $type', (command) => {
    const dropped = { count: 2, from: FIRST, to: SECOND };
    expect(eventOf([waiting], { ...command, open } as TriggerCommand).data).toEqual({ trigger, dropped });
    expect(eventOf([waiting], command).data).toEqual({ trigger });
  });

  it('beyond those that a changed pattern keeps is dropped by name', () => {
    const command: TriggerCommand = { ...asked, definition: OTHER, open: { ...open, older } };
    expect(eventOf([waiting], command).data).toMatchObject({ owed: [FIRST, SECOND], dropped: older });
  });

  it('is not recorded for a definition that somebody replaced meanwhile', () => {
    const replaced = eventOf([waiting], { ...asked, definition: changed });
    for (const command of [record, skip, fail]) expect(given(waiting, replaced).when(command)).toEqual(DONE);
  });
});

describe('what a definition leaves out', () => {
  const skipped = { count: 3, from: FIRST, to: SECOND };

  it.each([record, skip])('is recorded with what came, and added up: $type', (command) => {
    const once = given(defined).when({ ...command, skipped } as TriggerCommand);
    expect(once).toEqual(recorded({ data: expect.objectContaining({ skipped: { ...skipped, total: 3 } }) }));
    const [event] = (once as unknown as { readonly events: readonly TriggerEvent[] }).events;
    const twice = given(defined, event!).when({ ...command, from: SECOND, skipped } as TriggerCommand);
    expect(twice).toEqual(recorded({ data: expect.objectContaining({ skipped: { ...skipped, total: 6 } }) }));
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
    const [event] = (
      given(began, failed(failures, SECOND)).when({ ...fail, definition: looks }) as unknown as {
        events: TriggerEvent[];
      }
    ).events;
    return (Date.parse((event!.data as { retryAt: string }).retryAt) - Date.parse(at)) / 1_000;
  };

  it('records the items of a job with its firing, and the last of them stays known', () => {
    const withItems = [{ ...firings[0]!, items: ['i1', 'i2'] }];
    expect(given(began).when({ ...record, definition: looks, firings: withItems })).toEqual(
      recorded({ type: 'TriggerFired', data: { trigger, firings: withItems, at, next: SECOND } }),
    );
  });

  it('waits two of its intervals after a failure, twice as long after each further one, and 64 at most', () => {
    expect([1, 2, 5, 6, 100].map((failures) => waitsFor(failures - 1))).toEqual([60, 120, 960, 1_920, 1_920]);
  });

  it.each([
    ['keeps a look that is due, and so the id of its job', { ...looks, batchSize: 9 }, [], FIRST],
    [
      'looks anew after a failure, because the items were given back',
      { ...looks, batchSize: 9 },
      [failed(1, at)],
      SECOND,
    ],
    ['looks anew into another queue', { ...looks, queue: 'others' }, [], SECOND],
  ] as [string, TriggerDefinition, TriggerEvent[], string][])('%s', (_, now, history, next) => {
    const decision = given(began, ...history).when({ ...define, definition: now });
    expect(decision).toEqual(recorded({ data: { trigger, definition: now, next } }));
  });
});

describe('a trigger of events', () => {
  const waits: TriggerDefinition = { event: { types: ['QueueFinished'] }, description: '', task: { queue: 'jobs' } };
  const began: TriggerEvent = { type: 'TriggerDefined', version: 1, data: { trigger, definition: waits, next: null } };
  const problem = { code: 'INTAKE_CLOSED' };
  const made = (position: number) => ({ occurrence: FIRST, position: String(position), task: `t${position}` });
  const refused = (position: number) => ({ occurrence: FIRST, position: String(position), problem });
  const outcomes = [made(1), made(2), refused(3), refused(4), made(5), refused(6)];
  const command: TriggerCommand = { type: 'RecordEvents', trigger, outcomes, at };
  const firedWith = (...all: readonly number[]) => ({
    type: 'TriggerFired',
    version: 1,
    data: { trigger, firings: all.map(made), at },
  });
  const gaveUp = (position: number, failures: number) => ({
    type: 'TriggerGaveUp',
    version: 1,
    data: { trigger, ...refused(position), failures },
  });

  it('records what became of many events at once, in their order', () => {
    expect(given(began).when(command)).toEqual({
      kind: 'accepted',
      events: [firedWith(1, 2), gaveUp(3, 1), gaveUp(4, 2), firedWith(5), gaveUp(6, 1)],
    });
  });

  it('leaves out what somebody recorded before, and goes on counting', () => {
    const before = [firedWith(1, 2), gaveUp(3, 1)] as TriggerEvent[];
    expect(given(began, ...before).when(command)).toEqual({
      kind: 'accepted',
      events: [gaveUp(4, 2), firedWith(5), gaveUp(6, 1)],
    });
    expect(given(began, gaveUp(6, 1) as TriggerEvent).when(command)).toEqual(DONE);
  });

  it('records what became of a late event, and stays where it is', () => {
    const late = [made(1), refused(2), made(6)].map((outcome) => ({ ...outcome, isLate: true as const }));
    const history = [began, firedWith(4, 5) as TriggerEvent];
    const decision = given(...history).when({ ...command, outcomes: late });
    const { position: _, ...byHand } = made(1);
    const events = [
      { type: 'TriggerFired', version: 1, data: { trigger, firings: [byHand], at } },
      { ...gaveUp(2, 1), data: { ...gaveUp(2, 1).data, position: '5' } },
      firedWith(6),
    ];
    expect(decision).toEqual({ kind: 'accepted', events });
    const [first, second] = events as TriggerEvent[];
    for (const some of [[first!], [first!, second!]])
      expect(fold(triggerDecider, [...history, ...some])).toMatchObject({ upTo: '5' });
  });
});

describe('the events that a trigger owes', () => {
  const waiting: TriggerDefinition = { event: { types: ['QueuePaused'] }, description: '', task: { queue: 'q' } };
  const known: TriggerEvent = {
    type: 'TriggerDefined',
    version: 1,
    data: { trigger, definition: waiting, next: null },
  };
  const [from, to] = [FIRST, SECOND];
  const drop: TriggerCommand = { type: 'DropEvents', trigger, position: '7', dropped: { count: 3, from, to }, at };

  it('are given up together, once, and counted', () => {
    const decision = triggerDecider.decide(drop, fold(triggerDecider, [known]));
    const problem = { code: 'TOO_MANY_OWED', count: 3, from, to };
    const gaveUp: TriggerEvent = {
      type: 'TriggerGaveUp',
      version: 1,
      data: { trigger, occurrence: to, position: '7', failures: 1, problem, skipped: { count: 3, from, to, total: 3 } },
    };
    expect(decision).toEqual({ kind: 'accepted', events: [gaveUp] });
    const after = fold(triggerDecider, [known, gaveUp]);
    expect(after).toMatchObject({ upTo: '7', failures: 1, skipped: { total: 3 } });
    expect(triggerDecider.decide(drop, after).kind).toBe('alreadyDone');
  });

  it('are named as dropped if it waits for events no more', () => {
    const open = { newest: [], older: { count: 2, from, to } };
    const state = fold(triggerDecider, [known]);
    for (const command of [
      { type: 'DisableTrigger', trigger, open },
      { type: 'DeleteTrigger', trigger, open },
      { type: 'DefineTrigger', trigger, definition, next: FIRST, open, head: '40' },
    ] as const)
      expect(triggerDecider.decide(command, state)).toMatchObject({
        kind: 'accepted',
        events: [{ data: { dropped: { count: 2, from, to } } }],
      });
  });
});
