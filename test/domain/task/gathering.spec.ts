import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { MOST_GATHERED } from '../../../src/domain/task/gathering.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { specFor } from '../../support/decider-spec.js';
import {
  claimed,
  command,
  event,
  enqueued,
  GATHERED,
  gathers,
  heldWhile,
  type History,
  NOW,
  returned,
} from './examples.js';

const given = specFor(taskDecider);
const UNTIL = GATHERED.gathers!.until;
const ALL = { ...GATHERED, gathers: { until: UNTIL, all: true as const }, payload: [1] };
const gathersAll = event('TaskEnqueued', ALL);

/** As that of `command.GatherSubmission`: due at the latest moment, because it asks for a later one. */
const gathered = event('TaskSubmissionGathered', { queue: 'ingest', dueAt: UNTIL, payload: { file: 'b.txt' } });
const another = (payload: number) =>
  event('TaskSubmissionGathered', { queue: 'ingest', dueAt: GATHERED.dueAt!, payload });
const submitted = (payload: number) => command.GatherSubmission({ submission: { ...ALL, payload: [payload] } });
const taskAfter = (...history: History) => fold(taskDecider, history);
const refused = (because: 'never' | 'begun' | 'differs' | 'full') => ({ code: 'NOT_GATHERING' as const, because });

describe('a waiting task that gathers', () => {
  it('has the payload and the due time of the last submission, up to the end of its time', () => {
    given(gathers).when(command.GatherSubmission()).then(gathered);
    expect(taskAfter(gathers, gathered)).toMatchObject({
      status: 'pending',
      task: { payload: { file: 'b.txt' }, dueAt: UNTIL, gathered: 1 },
    });
  });

  it('is due earlier if the last submission says so, or at once if it names no time', () => {
    const dueAt = '2026-03-01T10:00:03.000Z';
    given(gathers)
      .when(command.GatherSubmission({ submission: { ...GATHERED, dueAt } }))
      .then(event('TaskSubmissionGathered', { queue: 'ingest', dueAt, payload: { file: 'a.txt' } }));
    const { dueAt: _due, ...atOnce } = GATHERED;
    given(gathers)
      .when(command.GatherSubmission({ submission: atOnce }))
      .then(event('TaskSubmissionGathered', { queue: 'ingest', dueAt: null, payload: { file: 'a.txt' } }));
  });

  it('has a list of all payloads, in their order, if it gathers all', () => {
    given(gathersAll).when(submitted(2)).then(another(2));
    expect(taskAfter(gathersAll, another(2), another(3))).toMatchObject({ task: { payload: [1, 2, 3] } });
  });

  it('takes in an equal submission as well, because each counts', () => {
    given(gathersAll, another(1)).when(submitted(1)).then(another(1));
  });

  it('also does so while somebody holds it', () => {
    given(gathers, heldWhile('pending')).when(command.GatherSubmission()).then(gathered);
  });

  it('has the time limits of the last submission that names some', () => {
    const deadlineAt = '2026-03-01T12:00:00.000Z';
    given(gathers)
      .when(command.GatherSubmission({ limits: { ttlMs: 1_000, deadlineAt } }))
      .then(event('TaskSubmissionGathered', { ...gathered.data, expiresAt: '2026-03-01T10:00:07.000Z', deadlineAt }));
  });

  it('records the entry of the audit log to which a submission belongs', () => {
    given(gathers)
      .when(command.GatherSubmission({ submission: { ...GATHERED, auditContext: 'audit-2' } }))
      .then(
        event('TaskSubmissionGathered', {
          queue: 'ingest',
          dueAt: GATHERED.dueAt!,
          payload: { file: 'a.txt' },
          auditContext: 'audit-2',
        }),
      );
  });
});

describe('a submission becomes a task of its own', () => {
  it('if the waiting one takes none in, or a worker has had it', () => {
    given(enqueued).when(command.GatherSubmission()).thenRejected(refused('never'));
    given(gathers, claimed, returned).when(command.GatherSubmission()).thenRejected(refused('begun'));
  });

  it.each([
    ['kind', { kind: 'export' }],
    ['label', { labels: { customer: 'acme' } }],
    ['priority', { priority: 3 }],
    ['description', { description: 'another' }],
    ['reference', { reference: 'order-1' }],
    ['list of payloads', { gathers: { until: UNTIL, all: true as const }, payload: [1] }],
  ])('if it has another %s, which the task could not say', (_, more) => {
    given(gathers)
      .when(command.GatherSubmission({ submission: { ...GATHERED, ...more } }))
      .thenRejected(refused('differs'));
  });

  it('if the list of payloads would be larger than a payload may be', () => {
    const list = JSON.stringify([1, 22, 333]);
    given(gathersAll, another(22))
      .when({ ...submitted(333), mostBytes: list.length })
      .then(another(333));
    given(gathersAll, another(22))
      .when({ ...submitted(333), mostBytes: list.length - 1 })
      .thenRejected(refused('full'));
  });

  it('if the task has as many as one may have', () => {
    const many = (count: number) => Array.from({ length: count }, () => gathered);
    given(gathers, ...many(MOST_GATHERED - 2))
      .when(command.GatherSubmission())
      .then(gathered);
    given(gathers, ...many(MOST_GATHERED - 1))
      .when(command.GatherSubmission())
      .thenRejected(refused('full'));
  });
});

it('the same submission with the same id is the same task, whenever it is submitted again', () => {
  const again = { ...GATHERED, dueAt: NOW, gathers: { until: NOW } };
  given(gathers)
    .when(command.EnqueueTask({ submission: again }))
    .thenNothing();
});
