import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { QueueCommand, QueueCommandType } from '../../../src/domain/queue/queue.commands.js';
import { queueDecider } from '../../../src/domain/queue/queue.decider.js';
import type { QueueEvent } from '../../../src/domain/queue/queue.events.js';
import { differences } from '../../../src/domain/queue/definition.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import type { QueueState } from '../../../src/domain/queue/queue.state.js';
import { specFor } from '../../support/decider-spec.js';
import {
  CAREFUL,
  closed,
  CLOSED_ONCE,
  command,
  defined,
  definedWith,
  deleted,
  event,
  FAILURE,
  finished,
  first,
  HISTORIES,
  LATER,
  NOW,
  paused,
  SECOND,
  STRICT,
  waiting,
} from './examples.js';

const given = specFor(queueDecider);

describe('every command in every status of a queue', () => {
  // The status that follows; `=` already done; `x` refused with the status; `-` no such queue.
  const TABLE: Readonly<Record<QueueCommandType, readonly string[]>> = {
    //             unknown   active      paused      waiting     finished    deleted
    DefineQueue: ['active', '=', '=', '=', '=', 'active'],
    ChangePolicy: ['-', 'active', 'paused', 'active', 'finished', '-'],
    SetLimit: ['-', 'active', 'paused', 'waiting', 'finished', '-'],
    UnsetLimit: ['-', '=', '=', '=', '=', '-'],
    PauseQueue: ['-', 'paused', '=', 'paused', 'x', '-'],
    PauseAfterFailures: ['=', '=', '=', '=', '=', '='],
    ResumeQueue: ['-', '=', 'active', '=', 'x', '-'],
    EndPause: ['=', '=', '=', '=', '=', '='],
    EndWait: ['=', '=', '=', 'active', '=', '='],
    CloseIntake: ['-', 'active', 'paused', 'waiting', 'finished', '-'],
    OpenIntake: ['-', '=', '=', '=', '=', '-'],
    FinishQueue: ['-', 'finished', 'finished', 'finished', '=', '-'],
    FinishDrained: ['=', '=', '=', '=', '=', '='],
    ReopenQueue: ['-', '=', '=', '=', 'active', '-'],
    DeleteQueue: ['-', 'deleted', 'deleted', 'deleted', 'deleted', '='],
  };
  const cells = Object.entries(TABLE).flatMap(([type, outcomes]) =>
    Object.keys(HISTORIES).map(
      (status, at) => [type as QueueCommandType, status as QueueState['status'], outcomes[at]!] as const,
    ),
  );

  it.each(cells)('%s when %s: %s', (type, status, outcome) => {
    const { decision, and, thenNothing } = given(...HISTORIES[status]).when(command[type]());
    if (outcome === '=') thenNothing();
    else if (outcome === '-')
      expect(decision).toHaveProperty('rejection', { code: 'QUEUE_NOT_FOUND', queue: 'ingest' });
    else if (outcome === 'x')
      expect(decision).toMatchObject({ rejection: { code: 'QUEUE_ILLEGAL_TRANSITION', command: type, state: status } });
    else {
      expect(decision.kind).toBe('accepted');
      expect(and().state().status).toBe(outcome);
    }
  });

  it('a refusal lists the commands that are possible instead', () => {
    const { decision } = given(...HISTORIES.finished).when(command.PauseQueue());
    expect(decision).toHaveProperty('rejection.allowed', [
      'ReopenQueue',
      'ChangePolicy',
      'SetLimit',
      'UnsetLimit',
      'CloseIntake',
      'OpenIntake',
      'DeleteQueue',
    ]);
  });
});

describe('a definition', () => {
  it('begins with the first version of the policy', () => {
    given().when(command.DefineQueue()).then(defined);
  });

  it.each([{ policy: STRICT }, { description: 'other' }, { policy: SECOND, awaited: first('deleted') }])(
    "keeps an existing queue unchanged, whatever the definition and the queue's state: %o",
    (changes) => {
      for (const history of [HISTORIES.active, HISTORIES.paused, HISTORIES.waiting, HISTORIES.finished])
        given(...history)
          .when(command.DefineQueue(changes))
          .thenNothing();
    },
  );

  it('that contradicts itself is refused even if the queue exists', () => {
    const policy: QueuePolicy = { ...DEFAULT_POLICY, onKeyFailure: 'block' };
    given(defined)
      .when(command.DefineQueue({ policy }))
      .thenRejected({ code: 'POLICY_CONTRADICTORY', queue: 'ingest', duplicatePending: 'return-existing' });
  });

  it('that replaces creates the next version of the policy, and leaves the queue paused, closed or finished', () => {
    const replacing = command.DefineQueue({ policy: STRICT, description: 'd', replace: true });
    const changed = event('QueuePolicyChanged', { description: 'd', policy: STRICT, policyVersion: 2 });
    for (const status of ['active', 'paused', 'finished'] as const) {
      const replaced = given(...HISTORIES[status], closed).when(replacing);
      replaced.then(changed);
      expect(replaced.and().state()).toMatchObject({ status, queue: { intake: { open: false }, policy: STRICT } });
    }
  });

  it('that replaces makes the queue start or stop waiting by its new policy', () => {
    const replace = true;
    const waits = given(defined).when(command.DefineQueue({ policy: SECOND, awaited: first('active'), replace }));
    expect(waits.and().state().status).toBe('waiting');
    expect(
      given(...HISTORIES.waiting)
        .when(command.DefineQueue({ replace }))
        .and()
        .state().status,
    ).toBe('active');
  });

  it('that replaces a queue with an identical one is already done', () => {
    given(defined)
      .when(command.DefineQueue({ replace: true }))
      .thenNothing();
    given()
      .when(command.DefineQueue({ replace: true }))
      .then(defined);
  });

  it('names the fields in which the existing queue differs', () => {
    const standing = { description: '', policy: DEFAULT_POLICY };
    expect(differences(standing, standing)).toEqual([]);
    expect(differences(standing, { description: 'd', policy: { ...STRICT, limits: { payloadBytes: 1 } } })).toEqual([
      'description',
      'keyRequired',
      'limits',
    ]);
  });

  it('after a deletion continues the policy versions, and starts anew otherwise', () => {
    const again = given(defined, closed, deleted).when(command.DefineQueue());
    again.then(event('QueueDefined', { description: '', policy: DEFAULT_POLICY, policyVersion: 2 }));
    expect(again.and().state()).toMatchObject({ status: 'active', queue: { intake: { open: true } } });
  });
});

describe('a change of policy', () => {
  const changed = event('QueuePolicyChanged', { description: '', policy: STRICT, policyVersion: 2 });

  it('creates the next version', () => {
    given(defined).when(command.ChangePolicy()).then(changed);
    given(defined)
      .when(command.ChangePolicy({ ifVersion: 1 }))
      .then(changed);
  });

  it('of the description alone creates one too', () => {
    given(defined)
      .when(command.ChangePolicy({ description: 'files', policy: DEFAULT_POLICY }))
      .then(event('QueuePolicyChanged', { description: 'files', policy: DEFAULT_POLICY, policyVersion: 2 }));
  });

  it('is refused if the caller has seen another version', () => {
    given(defined)
      .when(command.ChangePolicy({ ifVersion: 3 }))
      .thenRejected({ code: 'POLICY_VERSION_MISMATCH', expected: 3, actual: 1 });
  });

  it('without an effect is already done, so it can be repeated with the version that the caller had seen', () => {
    given(defined, changed)
      .when(command.ChangePolicy({ ifVersion: 1 }))
      .thenNothing();
  });
});

describe('a pause', () => {
  it('is recorded with who, why and until when', () => {
    given(defined)
      .when(command.PauseQueue({ until: LATER }))
      .then(paused(LATER));
  });

  it.each([{ reason: 'disk full' }, { until: LATER }])(
    'for another reason or time is recorded again: %o',
    (changes) => {
      expect(given(defined, paused()).when(command.PauseQueue(changes)).decision.kind).toBe('accepted');
    },
  );

  it.each([NOW, '2026-03-01T10:59:59.000+01:00', '2020-01-01T00:00:00.000Z'])(
    'until a time in the past is refused: %s',
    (until) => {
      for (const history of [[defined], [defined, paused()], [defined, paused(LATER)]])
        given(...history)
          .when(command.PauseQueue({ until }))
          .thenRejected({ code: 'PAUSE_IN_THE_PAST', queue: 'ingest', until, now: NOW });
    },
  );

  it('repeated at its end is already done', () => {
    given(defined, paused(LATER))
      .when(command.PauseQueue({ until: LATER, now: LATER }))
      .thenNothing();
  });

  it('with an end is over at that time, not before', () => {
    const end = (now: string) => given(defined, paused(LATER)).when(command.EndPause({ now }));
    end('2026-03-01T10:59:59.999Z').thenNothing();
    end(LATER).then(event('QueueResumed', { by: 'olga' }));
  });

  it('ends when the queue is finished', () => {
    expect(given(defined, paused(), finished, event('QueueReopened', { by: 'olga' })).state().status).toBe('active');
  });
});

describe('a pause after failures', () => {
  const pauses = event('QueuePaused', {
    by: 'olga',
    reason: '2 attempts failed in a row',
    until: null,
    failure: FAILURE,
  });

  it('records the failure', () => {
    const pause = given(definedWith(CAREFUL)).when(command.PauseAfterFailures());
    pause.then(pauses);
    expect(pause.and().state()).toHaveProperty('pause.failure', FAILURE);
  });

  it.each([
    ['paused meanwhile', [definedWith(CAREFUL), paused()]],
    [
      'no longer asked for',
      [
        definedWith(CAREFUL),
        event('QueuePolicyChanged', { ...definedWith(DEFAULT_POLICY).data, policyVersion: 2 } as never),
      ],
    ],
  ])('is already done if the queue is %s', (_, history) => {
    given(...history)
      .when(command.PauseAfterFailures())
      .thenNothing();
  });
});

describe('waiting for another queue', () => {
  const activated = event('QueueActivated', { by: 'olga' });

  it('begins with the definition, unless the other queue is finished', () => {
    const define = (status: 'active' | 'finished') =>
      given().when(command.DefineQueue({ policy: SECOND, awaited: first(status) }));
    define('active').then(definedWith(SECOND), waiting);
    define('finished').then(definedWith(SECOND));
  });

  it.each(['active', 'paused', 'waiting'] as const)('keeps waiting while the other one is %s', (status) => {
    given(definedWith(SECOND), waiting)
      .when(command.EndWait({ awaited: first(status) }))
      .thenNothing();
  });

  it('ends when the other queue is finished, once', () => {
    const end = given(definedWith(SECOND), waiting).when(command.EndWait());
    end.then(activated);
    end.and().when(command.EndWait()).thenNothing();
  });

  it('resumes after a pause while the other queue is not finished', () => {
    const resume = (status: 'active' | 'finished') =>
      given(definedWith(SECOND), waiting, paused()).when(command.ResumeQueue({ awaited: first(status) }));
    resume('active').then(event('QueueResumed', { by: 'olga' }), waiting);
    resume('finished').then(event('QueueResumed', { by: 'olga' }));
  });

  it('is not restarted by an unrelated change', () => {
    const change = command.ChangePolicy({ policy: { ...SECOND, keyRequired: true }, awaited: first('active') });
    expect(given(definedWith(SECOND), activated).when(change).and().state().status).toBe('active');
  });

  it.each([
    ['itself', ['ingest'], [], ['ingest']],
    ['one that waits for it', ['first'], first('waiting', ['ingest']), ['ingest', 'first']],
    [
      'one that waits for it through others',
      ['other', 'first'],
      [
        ...first('waiting', ['second']),
        { name: 'second', status: 'paused', waitsFor: ['ingest'] },
        { name: 'other', status: 'active', waitsFor: [] },
      ],
      ['ingest', 'first', 'second'],
    ],
  ] as const)('for %s is refused', (_, waitsFor, awaited, cycle) => {
    const policy = { ...DEFAULT_POLICY, waitsFor };
    const refusal = { code: 'QUEUES_WAIT_IN_CYCLE', queue: 'ingest', cycle } as const;
    given().when(command.DefineQueue({ policy, awaited })).thenRejected(refusal);
    given(defined).when(command.ChangePolicy({ policy, awaited })).thenRejected(refusal);
  });

  it.each(['unknown', 'deleted'] as const)('for a queue that is %s is refused', (status) => {
    given()
      .when(command.DefineQueue({ policy: SECOND, awaited: first(status) }))
      .thenRejected({ code: 'AWAITED_QUEUE_NOT_FOUND', queue: 'ingest', awaited: 'first' });
  });
});

it('lets a failure block its key only if tasks of a key may line up', () => {
  const refusal = { code: 'POLICY_CONTRADICTORY', queue: 'ingest', duplicatePending: 'refuse' } as const;
  const blocking = { ...DEFAULT_POLICY, onKeyFailure: 'block' } as const;
  const policy = { ...blocking, duplicatePending: 'refuse' } as const;
  given().when(command.DefineQueue({ policy })).thenRejected(refusal);
  given(defined).when(command.ChangePolicy({ policy })).thenRejected(refusal);
  const lined = { ...blocking, duplicatePending: 'allow' } as const;
  expect(given().when(command.DefineQueue({ policy: lined })).decision.kind).toBe('accepted');
});

it('tells tasks apart by a label only if their values have a limit', () => {
  const policy: QueuePolicy = { ...DEFAULT_POLICY, perLabel: { label: 'customer' } };
  const refusal = { code: 'LABEL_NOT_LIMITED', queue: 'ingest', label: 'customer' } as const;
  given().when(command.DefineQueue({ policy })).thenRejected(refusal);
  given(defined).when(command.ChangePolicy({ policy })).thenRejected(refusal);
  const rate = { starts: 1, perMs: 1_000, burst: 1 };
  const paced = { ...policy, perLabel: { label: 'customer', rate } };
  expect(given().when(command.DefineQueue({ policy: paced })).decision.kind).toBe('accepted');
});

it('gives a value of a label limits of its own only once', () => {
  const acme = { value: 'acme', maxRunning: 5 };
  const limited = (values: readonly (typeof acme)[]): QueuePolicy => ({
    ...DEFAULT_POLICY,
    perLabel: { label: 'customer', values },
  });
  const refusal = { code: 'LABEL_VALUE_TWICE', queue: 'ingest', label: 'customer', labelValue: 'acme' } as const;
  given(defined)
    .when(command.ChangePolicy({ policy: limited([acme, { ...acme, value: 'bolt' }, acme]) }))
    .thenRejected(refusal);
  expect(given().when(command.DefineQueue({ policy: limited([acme]) })).decision.kind).toBe('accepted');
});

describe('limits of one value', () => {
  const rate = { starts: 5, perMs: 1_000, burst: 5 };
  const with_ = (perLabel: QueuePolicy['perLabel']): QueuePolicy => ({ ...DEFAULT_POLICY, perLabel });
  const changed = (perLabel: QueuePolicy['perLabel']) =>
    event('QueuePolicyChanged', { description: '', policy: with_(perLabel), policyVersion: 2 });
  const limited = definedWith(with_({ label: 'customer', maxRunning: 2, values: [{ value: 'acme', maxRunning: 5 }] }));

  it('are a version of the policy, in which what was limited stays', () => {
    given(limited)
      .when(command.SetLimit({ value: 'bolt', limits: { rate } }))
      .then(
        changed({
          label: 'customer',
          maxRunning: 2,
          values: [
            { value: 'acme', maxRunning: 5 },
            { value: 'bolt', rate },
          ],
        }),
      );
    given(limited)
      .when(command.SetLimit({ limits: { rate } }))
      .then(changed({ label: 'customer', maxRunning: 2, values: [{ value: 'acme', maxRunning: 5, rate }] }));
  });

  it('without a value are those of all others', () => {
    given(limited)
      .when(command.SetLimit({ value: null, limits: { maxRunning: 3 } }))
      .then(changed({ label: 'customer', maxRunning: 3, values: [{ value: 'acme', maxRunning: 5 }] }));
    given(limited)
      .when(command.UnsetLimit({ value: null }))
      .then(changed({ label: 'customer', values: [{ value: 'acme', maxRunning: 5 }] }));
  });

  it('begin and end the limits of the label', () => {
    given(defined)
      .when(command.SetLimit())
      .then(changed({ label: 'customer', values: [{ value: 'acme', maxRunning: 2 }] }));
    given(definedWith(with_({ label: 'customer', values: [{ value: 'acme', rate }] })))
      .when(command.UnsetLimit())
      .then(changed(null));
    given(definedWith(with_({ label: 'customer', maxRunning: 2 })))
      .when(command.UnsetLimit({ value: null }))
      .then(changed(null));
    given(limited)
      .when(command.UnsetLimit())
      .then(changed({ label: 'customer', maxRunning: 2 }));
  });

  it('that stand, or are not there, change nothing', () => {
    given(limited)
      .when(command.SetLimit({ limits: { maxRunning: 5 } }))
      .thenNothing();
    given(limited)
      .when(command.UnsetLimit({ value: 'bolt' }))
      .thenNothing();
  });

  it('are those of one label, and of 1,000 values', () => {
    const differs = { code: 'LABEL_DIFFERS', queue: 'ingest', label: 'customer', given: 'site' } as const;
    given(limited)
      .when(command.SetLimit({ label: 'site' }))
      .thenRejected(differs);
    given(limited)
      .when(command.UnsetLimit({ label: 'site' }))
      .thenRejected(differs);
    const values = Array.from({ length: 1_000 }, (_, n) => ({ value: `c${n}`, maxRunning: 1 }));
    const full = definedWith(with_({ label: 'customer', values }));
    given(full).when(command.SetLimit()).thenRejected({ code: 'TOO_MANY_LIMITS', queue: 'ingest', most: 1_000 });
    expect(given(full).when(command.SetLimit({ value: 'c7' })).decision.kind).toBe('accepted');
  });
});

it('has turns and limits of one label', () => {
  const fair = { label: 'tenant', weights: { acme: 3 } };
  const policy: QueuePolicy = { ...DEFAULT_POLICY, fair, perLabel: { label: 'site', maxRunning: 1 } };
  const refusal = { code: 'FAIR_LABEL_DIFFERS', queue: 'ingest', label: 'tenant', limited: 'site' } as const;
  given().when(command.DefineQueue({ policy })).thenRejected(refusal);
  given(defined).when(command.ChangePolicy({ policy })).thenRejected(refusal);
  const alike = { ...policy, perLabel: { label: 'tenant', maxRunning: 1 } };
  expect(given().when(command.DefineQueue({ policy: alike })).decision.kind).toBe('accepted');
  given(definedWith({ ...policy, perLabel: null }))
    .when(command.SetLimit({ label: 'site' }))
    .thenRejected(refusal);
});

it('keeps payloads outside the log only if nobody searches them', () => {
  const policy: QueuePolicy = { ...DEFAULT_POLICY, search: ['order.id'], payloadsOutsideAboveBytes: 65_536 };
  const refusal = {
    code: 'SEARCH_NOT_POSSIBLE',
    queue: 'ingest',
    search: ['order.id'],
    beside: 'payloadsOutsideAboveBytes',
  } as const;
  given().when(command.DefineQueue({ policy })).thenRejected(refusal);
  given(defined).when(command.ChangePolicy({ policy })).thenRejected(refusal);
  const unsearched = { ...policy, search: [] };
  expect(given().when(command.DefineQueue({ policy: unsearched })).decision.kind).toBe('accepted');
});

describe('a finite queue', () => {
  const finish = command.FinishDrained();

  it('finishes by itself once its intake is closed', () => {
    given(definedWith(CLOSED_ONCE)).when(finish).thenNothing();
    given(definedWith(CLOSED_ONCE), closed).when(finish).then(finished);
    given(defined, closed).when(finish).thenNothing();
  });

  it('does not finish while it is paused or waits', () => {
    given(definedWith(CLOSED_ONCE), closed, paused()).when(finish).thenNothing();
    given(definedWith(CLOSED_ONCE), closed, waiting).when(finish).thenNothing();
  });
});

it("a policy stored before a field existed has the field's default", () => {
  const { finite: _, ...before } = DEFAULT_POLICY;
  expect(given(definedWith(before as typeof DEFAULT_POLICY)).state()).toHaveProperty('queue.policy.finite', false);
});

describe('the intake', () => {
  it('is closed with the actor and the reason', () => {
    const close = given(defined).when(command.CloseIntake());
    close.then(closed);
    expect(close.and().state()).toHaveProperty('queue.intake', { open: false, by: 'olga', reason: 'moving' });
  });

  it('closed again is already done, or recorded if the reason differs', () => {
    given(defined, closed).when(command.CloseIntake()).thenNothing();
    given(defined, closed)
      .when(command.CloseIntake({ reason: null }))
      .then(event('QueueIntakeClosed', { by: 'olga', reason: null }));
  });

  it('is opened', () => {
    const open = given(defined, closed).when(command.OpenIntake());
    open.then(event('QueueIntakeOpened', { by: 'olga' }));
    expect(open.and().state()).toHaveProperty('queue.intake', { open: true });
  });

  it('is independent of finishing: a reopened queue accepts what it accepted before', () => {
    expect(given(defined, closed, finished, event('QueueReopened', { by: 'olga' })).state()).toHaveProperty(
      'queue.intake.open',
      false,
    );
  });
});

describe('a queue’s life', () => {
  const text = fc.constantFrom(null, 'a', 'b');
  const COMMAND: fc.Arbitrary<QueueCommand> = fc.oneof(
    fc.record({ description: fc.constantFrom('', 'd'), replace: fc.boolean() }).map(command.DefineQueue),
    fc
      .record({
        policy: fc.constantFrom(STRICT, DEFAULT_POLICY, SECOND, CLOSED_ONCE, CAREFUL),
        awaited: fc.constantFrom('active', 'finished').map((status) => first(status as 'active')),
        ifVersion: fc.option(fc.integer({ min: 1, max: 4 })),
      })
      .map(command.ChangePolicy),
    fc.record({ reason: text, until: fc.constantFrom(null, NOW, LATER) }).map(command.PauseQueue),
    fc.record({ reason: text }).map(command.CloseIntake),
    fc
      .constantFrom('PauseAfterFailures', 'OpenIntake', 'FinishQueue', 'FinishDrained', 'DeleteQueue')
      .map((type) => command[type]() as QueueCommand),
    fc
      .tuple(
        fc.constantFrom('ResumeQueue', 'EndPause', 'EndWait', 'ReopenQueue'),
        fc.constantFrom('active', 'finished'),
      )
      .map(([type, status]) => command[type]({ awaited: first(status as 'active') }) as QueueCommand),
  );
  const LIFE = fc.array(COMMAND, { maxLength: 30, size: 'max' });

  const live = (
    commands: readonly QueueCommand[],
    check: (events: readonly QueueEvent[], command: QueueCommand) => void,
  ) =>
    commands.reduce<readonly QueueEvent[]>((events, next) => {
      const decision = queueDecider.decide(next, fold(queueDecider, events));
      if (decision.kind !== 'accepted') return events;
      const after = [...events, ...decision.events];
      check(after, next);
      return after;
    }, []);

  it('records every accepted command once', () => {
    fc.assert(
      fc.property(LIFE, (commands) => {
        live(commands, (events, same) => {
          expect(queueDecider.decide(same, fold(queueDecider, events))).toEqual({ kind: 'alreadyDone' });
        });
      }),
    );
  });

  it('counts its policy versions one by one, even through deletions', () => {
    fc.assert(
      fc.property(LIFE, (commands) => {
        const events = live(commands, () => undefined);
        const versions = events.flatMap(({ data }) => ('policyVersion' in data ? [data.policyVersion] : []));
        expect(versions).toEqual(versions.map((_, at) => at + 1));
      }),
    );
  });

  it('is the same when folded from its stored events', () => {
    fc.assert(
      fc.property(LIFE, (commands) => {
        live(commands, (events) => {
          const stored = JSON.parse(JSON.stringify(events)) as QueueEvent[];
          expect(stored).toStrictEqual(events);
          expect(fold(queueDecider, stored)).toStrictEqual(fold(queueDecider, events));
        });
      }),
    );
  });

  it('begins with a definition: a stream without one is broken', () => {
    expect(() => given(paused()).state()).toThrow(
      "Expected a queue to be defined before 'QueuePaused', but it is unknown",
    );
  });
});
