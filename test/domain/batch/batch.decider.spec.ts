import { describe, expect, it } from '@jest/globals';
import { type BatchCommand, BATCH_COMMANDS, type BatchCommandType } from '../../../src/domain/batch/batch.commands.js';
import { batchDecider } from '../../../src/domain/batch/batch.decider.js';
import {
  BATCH_STATUSES,
  type BatchCounts,
  type BatchEvent,
  type BatchStatus,
  type ReportContent,
} from '../../../src/domain/batch/batch.events.js';
import type { RerunReporting } from '../../../src/domain/batch/batch.policy.js';
import { fold } from '../../../src/domain/kernel/decider.js';

const at = '2026-03-01T00:00:00.000Z';
const batch = 'b';
const counts = (succeeded: number, failed = 0, deleted = 0): BatchCounts => ({
  total: succeeded + failed + deleted,
  succeeded,
  failed,
  aborted: 0,
  deleted,
});

const news: ReportContent = { changes: [{ task: 't', state: 'succeeded' }], more: 0, incomplete: [] };

const created: BatchEvent = { type: 'BatchCreated', version: 1, data: { batch, name: 'ingest', at } };
const opened: BatchEvent = { type: 'BatchOpened', version: 1, data: { batch, tasks: 3 } };
const failed: BatchEvent = { type: 'BatchFailed', version: 1, data: { batch, counts: counts(2, 1), at } };

const HISTORIES: { readonly [S in BatchStatus]: readonly BatchEvent[] } = {
  planning: [created],
  running: [created, opened],
  completed: [created, opened, { type: 'BatchCompleted', version: 1, data: { batch, counts: counts(3), at } }],
  failed: [created, opened, failed],
  aborted: [created, { type: 'BatchAborted', version: 1, data: { batch, at } }],
  reporting: [created, opened, failed, { type: 'BatchReportRequested', version: 1, data: { batch, by: 'ann' } }],
  deleted: [created, { type: 'BatchDeleted', version: 1, data: { batch, at } }],
};

const COMMANDS: { readonly [T in BatchCommandType]: BatchCommand } = {
  CreateBatch: { type: 'CreateBatch', batch, now: at, facts: { name: 'ingest' } },
  OpenBatch: { type: 'OpenBatch', batch, now: at, tasks: 3 },
  FailPlan: { type: 'FailPlan', batch, now: at, error: 'no such manifest' },
  EndBatch: { type: 'EndBatch', batch, now: at, counts: counts(3), report: news },
  ReportTasks: { type: 'ReportTasks', batch, now: at, tasks: [{ task: 't', state: 'succeeded' }] },
  RequestReport: { type: 'RequestReport', batch, now: at, by: 'ann' },
  RerunBatch: { type: 'RerunBatch', batch, now: at, by: 'ann', rerun: 'r' },
  AbortBatch: { type: 'AbortBatch', batch, now: at },
  DeleteBatch: { type: 'DeleteBatch', batch, now: at },
  EraseBatch: { type: 'EraseBatch', batch, now: at, erasure: 'e' },
};

/** What each command does in each status: the next status, `=` for already done, `x` for refused. */
const TABLE: { readonly [T in BatchCommandType]: Readonly<Record<BatchStatus, string>> } = {
  CreateBatch: row('=', '=', '=', '=', '=', '=', '='),
  OpenBatch: row('running', '=', '=', '=', '=', 'x', 'x'),
  FailPlan: row('failed', 'x', 'x', 'x', 'x', 'x', 'x'),
  EndBatch: row('x', 'completed', 'x', 'completed', 'completed', 'x', 'x'),
  // By its policy, this batch reports in another way.
  ReportTasks: row('x', 'x', 'x', 'x', 'x', 'x', 'x'),
  RequestReport: row('x', 'x', 'x', 'reporting', '=', 'x', 'x'),
  RerunBatch: row('x', 'x', 'x', 'x', 'x', 'x', 'x'),
  AbortBatch: row('aborted', 'aborted', 'x', 'aborted', 'aborted', '=', 'x'),
  DeleteBatch: row('deleted', 'deleted', 'deleted', 'deleted', 'deleted', 'deleted', '='),
  EraseBatch: row('x', 'x', 'completed', 'failed', 'x', 'aborted', 'deleted'),
};

/** In the order of `BATCH_STATUSES`. */
function row(...outcomes: readonly string[]): Readonly<Record<BatchStatus, string>> {
  return Object.fromEntries(BATCH_STATUSES.map((status, at) => [status, outcomes[at]!])) as Record<BatchStatus, string>;
}

/** What failed batches take under another policy. */
const BY_POLICY = ['ReportTasks', 'RerunBatch'];

const CASES = Object.entries(TABLE).flatMap(([type, row]) =>
  BATCH_STATUSES.map((status) => [type as BatchCommandType, status, row[status]] as const),
);

const after = (history: readonly BatchEvent[], command: BatchCommand): string => {
  const state = fold(batchDecider, history);
  const decision = batchDecider.decide(command, state);
  if (decision.kind === 'rejected') return 'x';
  return decision.kind === 'accepted' ? fold(batchDecider, decision.events, state).status : '=';
};

describe('a batch', () => {
  it.each(CASES)('%s when %s: %s', (type, status, outcome) => {
    expect(after(HISTORIES[status], COMMANDS[type])).toBe(outcome);
  });

  it.each(BATCH_STATUSES)('when %s, allows just the commands that record something', (status) => {
    const recorded = Object.entries(TABLE).flatMap(([type, row]) =>
      BATCH_STATUSES.includes(row[status] as never) || (status === 'failed' && BY_POLICY.includes(type)) ? type : [],
    );
    const allowed = Object.entries(BATCH_COMMANDS).flatMap(([type, on]) => (on.includes(status) ? type : []));
    expect(allowed).toEqual(recorded);
  });

  it('is unknown to every command except its creation', () => {
    for (const [type, command] of Object.entries(COMMANDS))
      expect(after([], command)).toBe(type === 'CreateBatch' ? 'planning' : 'x');
  });

  it('that is erased takes only its deletion, and what the service records of its tasks', () => {
    const history = [...HISTORIES.failed, { type: 'BatchErased', version: 1, data: { batch, erasure: 'e' } }] as const;
    const taken = Object.entries(COMMANDS).map(([type, command]) => [type, after(history, command)]);
    expect(Object.fromEntries(taken)).toMatchObject({
      EndBatch: 'completed',
      RequestReport: 'x',
      RerunBatch: 'x',
      AbortBatch: 'x',
      EraseBatch: '=',
      DeleteBatch: 'deleted',
    });
    const state = fold(batchDecider, history);
    expect(batchDecider.decide(COMMANDS.AbortBatch, state)).toMatchObject({ rejection: { code: 'BATCH_ERASED' } });
    const running = fold(batchDecider, HISTORIES.running);
    const refused = { rejection: { code: 'BATCH_NOT_ENDED', state: 'running' } };
    expect(batchDecider.decide(COMMANDS.EraseBatch, running)).toMatchObject(refused);
    expect(state).toMatchObject({ batch: { name: '(erased)' }, erased: true });
  });

  it('is another one if its id is used with another name', () => {
    const other = { ...COMMANDS.CreateBatch, facts: { name: 'other' } } as BatchCommand;
    expect(after(HISTORIES.planning, other)).toBe('x');
  });

  it.each(['running', 'completed', 'failed', 'reporting'] as const)(
    'when %s, is not opened again with another number of tasks',
    (status) => {
      expect(after(HISTORIES[status], { type: 'OpenBatch', batch, now: at, tasks: 4 })).toBe('x');
    },
  );

  it('whose plan failed cannot be opened', () => {
    const planFailed: BatchEvent = { type: 'BatchPlanFailed', version: 1, data: { batch, error: 'no manifest', at } };
    expect(after([created, planFailed], COMMANDS.OpenBatch)).toBe('x');
  });

  it.each([
    ['completed', counts(3)],
    ['completed', counts(2, 0, 1)],
    ['completed', counts(0)],
    ['failed', counts(2, 1)],
    ['failed', counts(0, 0, 3)],
  ])('is %s with %o', (status, ended) => {
    expect(after(HISTORIES.running, { type: 'EndBatch', batch, now: at, counts: ended, report: news })).toBe(status);
  });

  it('fails again only if its tasks have changed', () => {
    const end = (ended: BatchCounts): BatchCommand => ({
      type: 'EndBatch',
      batch,
      now: at,
      counts: ended,
      report: news,
    });
    expect(after(HISTORIES.failed, end(counts(2, 1)))).toBe('=');
    expect(after(HISTORIES.failed, end(counts(1, 2)))).toBe('failed');
  });

  const events = (history: readonly BatchEvent[], command: BatchCommand): readonly BatchEvent[] => {
    const decision = batchDecider.decide(command, fold(batchDecider, history));
    return decision.kind === 'accepted' ? decision.events : [];
  };
  const typesOf = (history: readonly BatchEvent[], command: BatchCommand) =>
    events(history, command).map(({ type }) => type);
  const nothingNew: ReportContent = { changes: [], more: 0, incomplete: [] };
  const ending = (report: ReportContent): BatchCommand => ({ ...COMMANDS.EndBatch, report }) as BatchCommand;
  /** The same history, of a batch with this policy. */
  const under = (reRunReporting: RerunReporting, history: readonly BatchEvent[]): readonly BatchEvent[] => [
    { type: 'BatchCreated', version: 1, data: { batch, name: 'ingest', at, policy: { reRunReporting } } },
    ...history.slice(1),
  ];

  it('reports once with its end, also if it has nothing to say', () => {
    expect(typesOf(HISTORIES.running, ending(nothingNew))).toEqual(['BatchReported', 'BatchCompleted']);
  });

  it('numbers its reports', () => {
    const [first] = events(HISTORIES.running, ending(news));
    const [second] = events([...HISTORIES.running, first!, ...HISTORIES.reporting.slice(2)], ending(news));
    expect([first, second].map((event) => (event!.data as { number: number }).number)).toEqual([1, 2]);
  });

  it('reports nothing after a request if nothing has changed since the last report, and ends', () => {
    const [report] = events(HISTORIES.running, ending(news));
    const history = [created, opened, report!, ...HISTORIES.reporting.slice(2)];
    expect(typesOf(history, ending(nothingNew))).toEqual(['BatchCompleted']);
    expect(typesOf(history, ending(news))).toEqual(['BatchReported', 'BatchCompleted']);
  });

  it.each(['update', 'own'] as const)('that failed does not end again by itself by %s', (mode) => {
    expect(after(under(mode, HISTORIES.failed), COMMANDS.EndBatch)).toBe('x');
  });

  it('that failed is completed by rerun-batch, without a report, once all its tasks are made good', () => {
    const history = under('rerun-batch', HISTORIES.failed);
    const end = (ended: BatchCounts): BatchCommand => ({ ...COMMANDS.EndBatch, counts: ended }) as BatchCommand;
    expect(after(history, end(counts(1, 2)))).toBe('x');
    expect(after(history, end(counts(0, 0, 3)))).toBe('x');
    expect(after(history, end(counts(2, 0, 1)))).toBe('completed');
    const [report] = events(HISTORIES.running, end(counts(2, 1)));
    expect(
      typesOf(under('rerun-batch', [created, opened, report!, ...HISTORIES.failed.slice(2)]), end(counts(3))),
    ).toEqual(['BatchCompleted']);
  });

  it.each([
    ['auto', 'reporting', 'x', 'x'],
    ['update', 'reporting', 'x', 'x'],
    ['own', 'x', 'x', 'failed'],
    ['rerun-batch', 'reporting', 'failed', 'x'],
  ] as const)('by %s: takes a request %s, a rerun %s, reports of tasks %s', (mode, request, rerun, task) => {
    const history = under(mode, HISTORIES.failed);
    expect(after(history, COMMANDS.RequestReport)).toBe(request);
    expect(after(history, COMMANDS.RerunBatch)).toBe(rerun);
    expect(after(history, COMMANDS.ReportTasks)).toBe(task);
  });

  it('is run again by one batch only', () => {
    const history = under('rerun-batch', HISTORIES.failed);
    const again = [...history, ...events(history, COMMANDS.RerunBatch)];
    expect(after(again, COMMANDS.RerunBatch)).toBe('=');
    expect(after(again, { ...COMMANDS.RerunBatch, rerun: 'other' } as BatchCommand)).toBe('x');
  });

  it('whose plan failed has nothing to report or to run again, and can be deleted', () => {
    const history = [created, ...events([created], COMMANDS.FailPlan)];
    expect(after(history, COMMANDS.FailPlan)).toBe('=');
    for (const type of ['EndBatch', 'RequestReport', 'RerunBatch', 'ReportTasks'] as const)
      expect([type, after(history, COMMANDS[type])]).toEqual([type, 'x']);
    expect(after(history, COMMANDS.DeleteBatch)).toBe('deleted');
  });
});
