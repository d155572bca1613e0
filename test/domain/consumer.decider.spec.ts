import { describe, expect, it } from '@jest/globals';
import type { ConsumerCommandOf, StandingClaim } from '../../src/domain/queue-consumer/consumer.commands.js';
import { consumerDecider } from '../../src/domain/queue-consumer/consumer.decider.js';
import type { HeldTask, ConsumerEvent } from '../../src/domain/queue-consumer/consumer.events.js';
import { MOST_FENCED } from '../../src/domain/queue-consumer/consumer.state.js';
import { specFor } from '../support/decider-spec.js';

const given = specFor(consumerDecider);

const task = (n: number): HeldTask => ({ taskId: `t${n}`, token: String(n), worker: `w${n}`, server: `s${n}` });
const claim = (n: number, overdue = false): StandingClaim => ({
  ...task(n),
  overdue,
  until: '2026-03-01T10:00:00.000Z',
});
const take = (n: number, ...running: StandingClaim[]): ConsumerCommandOf<'TakeQueue'> => ({
  type: 'TakeQueue',
  queue: 'index',
  worker: `w${n}`,
  server: `s${n}`,
  running,
});
const late = (n: number): ConsumerCommandOf<'RefuseLateReport'> => ({
  type: 'RefuseLateReport',
  queue: 'index',
  taskId: `t${n}`,
  token: String(n),
  report: 'succeed',
});
const event = (type: string, data: object) =>
  ({ type, version: 1, data: { queue: 'index', ...data } }) as ConsumerEvent;
const taken = (n: number, epoch: number) => event('QueueTaken', { epoch, worker: `w${n}`, server: `s${n}` });
const over = (n: number, epoch: number, from: number) =>
  event('QueueTakenOver', { epoch, worker: `w${n}`, server: `s${n}`, from: task(from) });

describe('a serial queue', () => {
  it('is taken by any worker that claims while nothing runs, in a new epoch if the worker is another one', () => {
    given().when(take(1)).then(taken(1, 1));
    given(taken(1, 1)).when(take(1)).thenNothing();
    given(taken(1, 1)).when(take(2)).then(taken(2, 2));
  });

  it('stays with the worker whose task runs, and the refusal names it', () => {
    given(taken(1, 1))
      .when(take(2, claim(1)))
      .thenRejected({ code: 'QUEUE_HELD', queue: 'index', consumer: claim(1) });
    given(taken(1, 1))
      .when(take(1, claim(1)))
      .thenRejected({ code: 'QUEUE_HELD', queue: 'index', consumer: claim(1) });
  });

  it('is taken over when the claim is overdue, even by the same worker', () => {
    const takeOver = given(taken(1, 1)).when(take(2, claim(1, true)));
    takeOver.then(over(2, 2, 1));
    expect(takeOver.and().state()).toMatchObject({ worker: 'w2', reset: task(1) });
    given(taken(1, 1))
      .when(take(1, claim(1, true)))
      .then(over(1, 2, 1));
  });

  it('remembers the newest of the claims that were taken over and never reported', () => {
    const takeovers = Array.from({ length: MOST_FENCED + 50 }, (_, n) => over(n + 1, n + 2, n));
    const state = given(...takeovers).state() as { fencedClaims: readonly HeldTask[] };
    expect(state.fencedClaims).toHaveLength(MOST_FENCED);
    given(...takeovers)
      .when(late(49))
      .thenNothing();
    const refused = { epoch: 151, worker: 'w150', server: 's150', from: task(50), report: 'succeed', reset: task(149) };
    given(...takeovers)
      .when(late(50))
      .then(event('QueueLateReportRefused', refused));
  });

  it('with several running tasks is an anomaly, which is recorded once for the same tasks', () => {
    const found = event('QueueAnomalyFound', { epoch: 1, running: [task(1), task(2)] });
    const find = given(taken(1, 1)).when(take(3, claim(1), claim(2, true)));
    find.then(found);
    find
      .and()
      .when(take(4, claim(1), claim(2)))
      .thenRejected({ code: 'QUEUE_CONFLICTED', queue: 'index', running: [task(1), task(2)] });
    expect(find.and().when(take(4, claim(2), claim(3))).decision.kind).toBe('accepted');
    find.and().when(take(4)).then(taken(4, 2));
  });

  it('records the refused report of a former consumer once', () => {
    const refused = event('QueueLateReportRefused', {
      epoch: 2,
      worker: 'w2',
      server: 's2',
      from: task(1),
      report: 'succeed',
    });
    const report = given(taken(1, 1), over(2, 2, 1)).when(late(1));
    report.then({ ...refused, data: { ...refused.data, reset: task(1) } } as ConsumerEvent);
    report.and().when(late(1)).thenNothing();
    given(taken(1, 1), over(2, 2, 1), taken(3, 3))
      .when(late(1))
      .then({ ...refused, data: { ...refused.data, epoch: 3, worker: 'w3', server: 's3' } } as ConsumerEvent);
    given(taken(1, 1)).when(late(1)).thenNothing();
    given(taken(1, 1), over(2, 2, 1))
      .when({ ...late(1), taskId: 't2' })
      .thenNothing();
  });

  it('gives out the task that the last takeover reset first, whatever is reported late, until the next takeover', () => {
    const report = given(taken(1, 1), over(2, 2, 1), over(3, 3, 2)).when(late(1));
    expect(report.decision).toMatchObject({ events: [{ data: { from: task(1), reset: task(2) } }] });
    expect(report.and().state()).toMatchObject({ worker: 'w3', reset: task(2) });
    expect(report.and().when(take(4)).and().state()).toMatchObject({ worker: 'w4', reset: null });
  });
});
