import { describe, expect, it } from '@jest/globals';
import { type BatchCommand, BATCH_COMMANDS, type BatchCommandType } from '../../../src/domain/batch/batch.commands.js';
import { batchDecider } from '../../../src/domain/batch/batch.decider.js';
import {
  BATCH_STATUSES,
  type BatchCounts,
  type BatchEvent,
  type BatchStatus,
} from '../../../src/domain/batch/batch.events.js';
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

const created: BatchEvent = { type: 'BatchCreated', version: 1, data: { batch, name: 'ingest', at } };
const opened: BatchEvent = { type: 'BatchOpened', version: 1, data: { batch, tasks: 3 } };
const failed: BatchEvent = { type: 'BatchFailed', version: 1, data: { batch, counts: counts(2, 1), at } };

const HISTORIES: { readonly [S in BatchStatus]: readonly BatchEvent[] } = {
  planning: [created],
  running: [created, opened],
  completed: [created, opened, { type: 'BatchCompleted', version: 1, data: { batch, counts: counts(3), at } }],
  failed: [created, opened, failed],
  aborted: [created, { type: 'BatchAborted', version: 1, data: { batch, at } }],
  deleted: [created, { type: 'BatchDeleted', version: 1, data: { batch, at } }],
};

const COMMANDS: { readonly [T in BatchCommandType]: BatchCommand } = {
  CreateBatch: { type: 'CreateBatch', batch, now: at, facts: { name: 'ingest' } },
  OpenBatch: { type: 'OpenBatch', batch, now: at, tasks: 3 },
  EndBatch: { type: 'EndBatch', batch, now: at, counts: counts(3) },
  AbortBatch: { type: 'AbortBatch', batch, now: at },
  DeleteBatch: { type: 'DeleteBatch', batch, now: at },
};

/** What each command does in each status: the next status, `=` for already done, `x` for refused. */
const TABLE: { readonly [T in BatchCommandType]: Readonly<Record<BatchStatus, string>> } = {
  CreateBatch: { planning: '=', running: '=', completed: '=', failed: '=', aborted: '=', deleted: '=' },
  OpenBatch: { planning: 'running', running: '=', completed: 'x', failed: 'x', aborted: 'x', deleted: 'x' },
  EndBatch: { planning: 'x', running: 'completed', completed: 'x', failed: 'completed', aborted: 'x', deleted: 'x' },
  AbortBatch: {
    planning: 'aborted',
    running: 'aborted',
    completed: 'x',
    failed: 'aborted',
    aborted: '=',
    deleted: 'x',
  },
  DeleteBatch: {
    planning: 'deleted',
    running: 'deleted',
    completed: 'deleted',
    failed: 'deleted',
    aborted: 'deleted',
    deleted: '=',
  },
};

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
      BATCH_STATUSES.includes(row[status] as never) ? type : [],
    );
    const allowed = Object.entries(BATCH_COMMANDS).flatMap(([type, on]) => (on.includes(status) ? type : []));
    expect(allowed).toEqual(recorded);
  });

  it('is unknown to every command except its creation', () => {
    for (const [type, command] of Object.entries(COMMANDS))
      expect(after([], command)).toBe(type === 'CreateBatch' ? 'planning' : 'x');
  });

  it('is another one if its id is used with another name', () => {
    const other = { ...COMMANDS.CreateBatch, facts: { name: 'other' } } as BatchCommand;
    expect(after(HISTORIES.planning, other)).toBe('x');
  });

  it('is not opened again with another number of tasks', () => {
    expect(after(HISTORIES.running, { type: 'OpenBatch', batch, now: at, tasks: 4 })).toBe('x');
  });

  it.each([
    ['completed', counts(3)],
    ['completed', counts(2, 0, 1)],
    ['completed', counts(0)],
    ['failed', counts(2, 1)],
    ['failed', counts(0, 0, 3)],
  ])('is %s with %o', (status, ended) => {
    expect(after(HISTORIES.running, { type: 'EndBatch', batch, now: at, counts: ended })).toBe(status);
  });

  it('fails again only if its tasks have changed', () => {
    const end = (ended: BatchCounts): BatchCommand => ({ type: 'EndBatch', batch, now: at, counts: ended });
    expect(after(HISTORIES.failed, end(counts(2, 1)))).toBe('=');
    expect(after(HISTORIES.failed, end(counts(1, 2)))).toBe('failed');
  });
});
