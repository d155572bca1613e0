import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { QueueCommand, QueueCommandType } from '../../../src/domain/queue/queue.commands.js';
import { queueDecider } from '../../../src/domain/queue/queue.decider.js';
import type { QueueEvent } from '../../../src/domain/queue/queue.events.js';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import type { QueueState } from '../../../src/domain/queue/queue.state.js';
import { specFor } from '../../support/decider-spec.js';
import {
  closed,
  command,
  defined,
  deleted,
  event,
  finished,
  HISTORIES,
  LATER,
  NOW,
  paused,
  STRICT,
} from './examples.js';

const given = specFor(queueDecider);

describe('every command in every status of a queue', () => {
  // The status it leads to; `=` already done; `x` refused, naming the status; `-` no such queue.
  const TABLE: Readonly<Record<QueueCommandType, readonly string[]>> = {
    //             unknown   active      paused      finished    deleted
    DefineQueue: ['active', '=', '=', '=', 'active'],
    ChangePolicy: ['-', 'active', 'paused', 'finished', '-'],
    PauseQueue: ['-', 'paused', '=', 'x', '-'],
    ResumeQueue: ['-', '=', 'active', 'x', '-'],
    EndPause: ['=', '=', '=', '=', '='],
    CloseIntake: ['-', 'active', 'paused', 'finished', '-'],
    OpenIntake: ['-', '=', '=', '=', '-'],
    FinishQueue: ['-', 'finished', 'finished', '=', '-'],
    ReopenQueue: ['-', '=', '=', 'active', '-'],
    DeleteQueue: ['-', 'deleted', 'deleted', 'deleted', '='],
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

  it('a refusal offers what can be done instead', () => {
    const { decision } = given(...HISTORIES.finished).when(command.PauseQueue());
    expect(decision).toHaveProperty('rejection.allowed', [
      'ReopenQueue',
      'ChangePolicy',
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

  it.each([{ policy: STRICT }, { description: 'other' }])('with other content is refused: %o', (changes) => {
    given(defined).when(command.DefineQueue(changes)).thenRejected({ code: 'QUEUE_EXISTS', queue: 'ingest' });
  });

  it('after a deletion counts the versions on, and begins anew otherwise', () => {
    const again = given(defined, closed, deleted).when(command.DefineQueue());
    again.then(event('QueueDefined', { description: '', policy: DEFAULT_POLICY, policyVersion: 2 }));
    expect(again.and().state()).toMatchObject({ status: 'active', queue: { intake: { open: true } } });
  });
});

describe('a change of policy', () => {
  const changed = event('QueuePolicyChanged', { description: '', policy: STRICT, policyVersion: 2 });

  it('is the next version', () => {
    given(defined).when(command.ChangePolicy()).then(changed);
    given(defined)
      .when(command.ChangePolicy({ ifVersion: 1 }))
      .then(changed);
  });

  it('of the description alone is one too', () => {
    given(defined)
      .when(command.ChangePolicy({ description: 'files', policy: DEFAULT_POLICY }))
      .then(event('QueuePolicyChanged', { description: 'files', policy: DEFAULT_POLICY, policyVersion: 2 }));
  });

  it('is refused where the caller has seen another version', () => {
    given(defined)
      .when(command.ChangePolicy({ ifVersion: 3 }))
      .thenRejected({ code: 'POLICY_VERSION_MISMATCH', expected: 3, actual: 1 });
  });

  it('to what stands is already done, so that it can be repeated with the version it had seen', () => {
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

  it('with an end is over at its end, not before', () => {
    const end = (now: string) => given(defined, paused(LATER)).when(command.EndPause({ now }));
    end('2026-03-01T10:59:59.999Z').thenNothing();
    end(LATER).then(event('QueueResumed', { by: 'olga' }));
  });

  it('does not outlive the finishing of its queue', () => {
    expect(given(defined, paused(), finished, event('QueueReopened', { by: 'olga' })).state().status).toBe('active');
  });
});

describe('the intake', () => {
  it('is closed with who and why, for people to be told', () => {
    const close = given(defined).when(command.CloseIntake());
    close.then(closed);
    expect(close.and().state()).toHaveProperty('queue.intake', { open: false, by: 'olga', reason: 'moving' });
  });

  it('closed again is already done; for another reason it is recorded', () => {
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

  it('is apart from finishing: a reopened queue takes in what it took in before', () => {
    expect(given(defined, closed, finished, event('QueueReopened', { by: 'olga' })).state()).toHaveProperty(
      'queue.intake.open',
      false,
    );
  });
});

describe('a queue’s life', () => {
  const text = fc.constantFrom(null, 'a', 'b');
  const COMMAND: fc.Arbitrary<QueueCommand> = fc.oneof(
    fc.constantFrom('', 'd').map((description) => command.DefineQueue({ description })),
    fc
      .record({
        policy: fc.constantFrom(STRICT, DEFAULT_POLICY),
        ifVersion: fc.option(fc.integer({ min: 1, max: 4 })),
      })
      .map(command.ChangePolicy),
    fc.record({ reason: text, until: fc.constantFrom(null, NOW, LATER) }).map(command.PauseQueue),
    fc.record({ reason: text }).map(command.CloseIntake),
    fc
      .constantFrom('ResumeQueue', 'EndPause', 'OpenIntake', 'FinishQueue', 'ReopenQueue', 'DeleteQueue')
      .map((type) => command[type]() as QueueCommand),
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

  it('counts the versions of its policy up, one by one, through deletions', () => {
    fc.assert(
      fc.property(LIFE, (commands) => {
        const events = live(commands, () => undefined);
        const versions = events.flatMap(({ data }) => ('policyVersion' in data ? [data.policyVersion] : []));
        expect(versions).toEqual(versions.map((_, at) => at + 1));
      }),
    );
  });

  it('is the fold of its events as they were stored', () => {
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

  it('begins with its definition: a stream without one is broken', () => {
    expect(() => given(paused()).state()).toThrow(
      "Expected a queue to be defined before 'QueuePaused', but it is unknown",
    );
  });
});
