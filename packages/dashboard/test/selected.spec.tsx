import { describe, expect, it } from '@jest/globals';
import type { TaskDetails, TaskSummary } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Asked } from '../src/parts/action.js';
import { BulkOutcome } from '../src/parts/bulk-operation.js';
import { Selected } from '../src/parts/selected.js';
import { TaskTable } from '../src/parts/task-table.js';
import { EVERYTHING, NOTHING, type Selection } from '../src/selection.js';
import { textOf } from './text-of.js';

const COMMANDS = ['Retry', 'Hold', 'Release', 'Prioritise', 'Cancel', 'Abort', 'Delete'];

const bar = (selection: Selection, ids: readonly string[], hasMore = false) => (
  <Selected selection={selection} ids={ids} filter={{}} hasMore={hasMore} onSelect={() => {}} onDone={() => {}} />
);
const buttonsOf = (selection: Selection, ids: readonly string[], hasMore = false): string[] =>
  [...render(bar(selection, ids, hasMore)).matchAll(/<button type="button">([^<]+)</g)].map(([, name]) => name!);
const some = (...ids: string[]): Selection => ({ isAll: false, ids: new Set(ids) });

describe('the bar of selected tasks', () => {
  it('offers nothing while nothing is selected', () => {
    expect(buttonsOf(NOTHING, [])).toEqual([]);
    expect(textOf(bar(NOTHING, []))).toContain('No task is selected.');
  });

  it('offers the commands for what is selected, and to select what is not shown', () => {
    expect(buttonsOf(some('a'), ['a'])).toEqual(['Select none', ...COMMANDS]);
    expect(buttonsOf(some('a'), ['a'], true)).toEqual(['Select all that match', 'Select none', ...COMMANDS]);
    expect(textOf(bar(some('a', 'b'), ['a', 'b']))).toContain('2 tasks selected.');
  });

  it('says that everything that matches is selected', () => {
    expect(textOf(bar(EVERYTHING, ['a']))).toContain(
      'All tasks that match are selected, also those that are not shown.',
    );
    expect(buttonsOf(EVERYTHING, ['a'], true)).toEqual(['Select none', ...COMMANDS]);
  });
});

it('the list of tasks has a box for each row and for all, if rows can be selected', () => {
  const rows = ['a', 'b'].map((id) => ({
    id,
    queue: 'q',
    state: 'failed',
    reference: null,
    enqueuedAt: '2026-01-01T00:00:00Z',
    scheduledFor: '2026-01-01T00:00:00Z',
    finishedAt: null,
    startedAt: null,
    lastHeartbeatAt: null,
  })) as unknown as TaskSummary[];
  const selecting = { ids: new Set(['b']), onToggle: () => {}, onToggleAll: () => {} };
  const boxes = [...render(<TaskTable tasks={rows} selecting={selecting} />).matchAll(/<input[^>]*>/g)].map(String);
  expect(boxes).toEqual([
    '<input type="checkbox" aria-label="Select all shown tasks"/>',
    '<input type="checkbox" aria-label="Select task a"/>',
    '<input type="checkbox" aria-label="Select task b" checked/>',
  ]);
  expect(render(<TaskTable tasks={rows} />)).not.toContain('<input');
});

describe('the question before a command for many tasks', () => {
  const action = { name: 'Prioritise', about: 'More urgent.', number: 'Priority', preview: async () => '' };

  it('says how many tasks it is about, once they are counted', () => {
    const text = (preview: string | null) =>
      textOf(<Asked of="the selected tasks" action={action} preview={preview} />);
    expect(text(null)).toContain('Counting …');
    expect(text('12 tasks selected.')).toContain('12 tasks selected.');
  });

  it('asks for the number that the command needs', () => {
    expect(render(<Asked of="the selected tasks" action={action} preview={null} />)).toMatch(
      /<label>Priority <input name="number" type="number"[^>]* required/,
    );
  });
});

describe('the outcome of an operation', () => {
  const outcome = (task: object) =>
    textOf(
      <BulkOutcome
        task={{ id: 'op', kind: 'retry', progress: [], result: null, error: null, ...task } as unknown as TaskDetails}
      />,
    );

  it('says how far it is, and then what was refused', () => {
    expect(outcome({ state: 'pending' })).toBe('The operation retry: pending.');
    const progress = [{ title: 'tasks', start: 0, end: 10, position: 5, attempt: 1 }];
    expect(outcome({ state: 'running', progress })).toBe('The operation retry: running, 5 of 10 tasks.');
    const more = [...progress, { title: 'running tasks', start: 0, end: 2, position: 1, attempt: 1 }];
    expect(outcome({ state: 'running', progress: more })).toContain('5 of 10 tasks, 1 of 2 running tasks.');
    const examples = [{ task: 'a', code: 'ILLEGAL_TRANSITION' }];
    const result = { asked: 3, done: 1, refused: { ILLEGAL_TRANSITION: 2 }, examples };
    expect(outcome({ state: 'succeeded', result })).toMatch(
      /succeeded, 1 of 3 tasks\.\s*2 tasks refused: ILLEGAL_TRANSITION, such as a/,
    );
    const error = { message: 'Expected to delete the queue', class: 'business' };
    expect(outcome({ state: 'failed', error })).toMatch(/The operation retry: failed\.\s*Expected to delete the queue/);
  });
});
