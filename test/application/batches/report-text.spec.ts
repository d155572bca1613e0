import { describe, expect, it } from '@jest/globals';
import type { DetailsOfTasks, ReportedFailure } from '../../../src/application/batches/reported-tasks.js';
import { reportText, taskReportText } from '../../../src/application/batches/report-text.js';

const COUNTS = { total: 2, succeeded: 0, failed: 2, aborted: 0, deleted: 0 };
const task = (id: string) => ({ task: id, state: 'failed' as const });

const detailsWith = (failures: readonly (readonly [string, ReportedFailure])[]): DetailsOfTasks =>
  new Map(['1', '2'].map((id) => [id, { name: `map ${id}`, failure: new Map(failures).get(id) ?? null }]));

const failure = (step: string | null, message: string): ReportedFailure => ({
  step,
  error: { class: 'business', message },
});

/** The lines on tasks that are not complete, in the mail about a report of two that have failed. */
function incompleteLines(failures: readonly (readonly [string, ReportedFailure])[]): readonly string[] {
  const tasks = [task('1'), task('2')];
  const report = {
    batch: 'b',
    number: 1,
    by: 'ann',
    at: '',
    counts: COUNTS,
    more: 0,
    changes: tasks,
    incomplete: tasks,
  };
  const { text } = reportText('maps', report as never, detailsWith(failures));
  return text.split('\n').filter((line) => line.startsWith('- '));
}

describe('the mail about a report', () => {
  it('names the step, the message and the class of the error of each failed task', () => {
    expect(incompleteLines([['1', failure('checksum', 'the digest differs')]])).toEqual([
      '- map 1: failed in step checksum: the digest differs (business: what was submitted must be corrected)',
      '- map 2: failed',
    ]);
  });

  it('has each reason in one line of bounded length', () => {
    const [line] = incompleteLines([['1', failure(null, `two\r\n- lines ${'x'.repeat(10_000)}`)]]);
    expect(line).toContain('- map 1: failed: two - lines xxx');
    expect(line!.length).toBeLessThan(500);
  });

  it('about one task that was run again says why that failed', () => {
    const { text } = taskReportText(
      'maps',
      { ...task('1'), batch: 'b', number: 2, at: '' },
      detailsWith([['1', failure('fetch', 'gone')]]),
    );
    expect(text).toBe(
      'map 1 of maps was run again: it is failed in step fetch: gone (business: what was submitted must be corrected)\n',
    );
  });
});
