import { describe, it } from '@jest/globals';
import { lateReportDecider } from '../../../src/domain/task/late-reports.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { specFor } from '../../support/decider-spec.js';

const given = specFor(lateReportDecider);

const event = (type: string, data: object = {}) =>
  ({ type, version: 1, data: { queue: 'mail', ...data } }) as unknown as TaskEvent;
const enqueued = event('TaskEnqueued', { kind: 'letter' });
const claimed = (n: number) =>
  event('TaskClaimed', {
    attempt: n,
    token: String(n),
    worker: `w${n}`,
    server: 's',
    claimId: 'c',
    leaseMs: 1,
    claimedAt: '2026-03-01T10:00:00.000Z',
    waitedMs: 0,
  });
const of = (n: number) => ({ attempt: n, token: String(n), worker: `w${n}` });
const ended = (type: string, n: number, more: object = {}) => event(type, { ...of(n), ranMs: 1, ...more });
const error = (errorClass: string) => ({ error: { message: 'm', class: errorClass } });
const late = (n: number, report = 'succeed') => ({ token: String(n), report });
const refused = (n: number, report = 'succeed') => event('TaskLateReportRefused', { ...of(n), report });

describe('a late report', () => {
  it('is recorded of a claim whose lease was lost, once', () => {
    given(enqueued, claimed(1), ended('TaskLeaseExpired', 1)).when(late(1)).then(refused(1));
    given(enqueued, claimed(1), ended('TaskLeaseExpired', 1), refused(1, 'extend')).when(late(1)).thenNothing();
  });

  it('is recorded while another worker has the task, and each lost claim has its own', () => {
    const lost = [enqueued, claimed(1), ended('TaskLeaseExpired', 1), claimed(2), ended('TaskLeaseExpired', 2)];
    given(...lost, claimed(3))
      .when(late(2, 'extend'))
      .then(refused(2, 'extend'));
    given(...lost, claimed(3), refused(2))
      .when(late(1))
      .then(refused(1));
  });

  it('is recorded of an attempt that was ended against its worker', () => {
    given(enqueued, claimed(1), ended('TaskAttemptFailed', 1, error('timeout')))
      .when(late(1))
      .then(refused(1));
    given(enqueued, claimed(1), ended('TaskOverruled', 1, { verdict: 'succeed', by: 'ann', reason: 'r' }))
      .when(late(1))
      .then(refused(1));
    given(enqueued, claimed(1), event('TaskDeleted', { from: 'running', by: 'ann', forced: true }))
      .when(late(1))
      .then(refused(1));
  });

  it('of a claim that its worker settled is a repetition, and not recorded', () => {
    given(enqueued, claimed(1), ended('TaskSucceeded', 1)).when(late(1)).thenNothing();
    given(enqueued, claimed(1), ended('TaskReturned', 1)).when(late(1)).thenNothing();
    given(enqueued, claimed(1), ended('TaskAttemptFailed', 1, error('business')))
      .when(late(1, 'extend'))
      .thenNothing();
  });

  it('of a claim that runs, or that there never was, is not recorded', () => {
    given(enqueued, claimed(1)).when(late(1)).thenNothing();
    given(enqueued).when(late(7)).thenNothing();
    given().when(late(1)).thenNothing();
  });
});
