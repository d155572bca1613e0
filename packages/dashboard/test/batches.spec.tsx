import { describe, expect, it } from '@jest/globals';
import type { BatchReport, BatchDetails, BatchView } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Batch, stepsOn } from '../src/pages/batch.js';
import { Batches } from '../src/pages/batches.js';
import { BatchBar } from '../src/parts/batch-bar.js';
import { textOf } from './text-of.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

const batch = (more: Partial<BatchView> = {}): BatchView => ({
  id: ID,
  name: 'CAN ingest 4711',
  description: 'A new canal',
  labels: { customer: 'acme' },
  state: 'running',
  phase: 'running',
  stateName: 'running',
  createdAt: '2026-11-22T10:00:00.000Z',
  endedAt: null,
  planner: null,
  plannerState: null,
  error: null,
  preset: null,
  reRunReporting: 'auto',
  reportTo: null,
  rerunOf: null,
  rerun: null,
  reports: 0,
  reportedAt: null,
  commands: ['AbortBatch', 'DeleteBatch'],
  total: 10,
  open: 4,
  succeeded: 4,
  failed: 1,
  aborted: 0,
  deleted: 2,
  revision: 1,
  position: '9',
  ...more,
});

const REPORT: BatchReport = {
  number: 2,
  at: '2026-11-22T11:00:00.000Z',
  about: 'batch',
  counts: { total: 10, succeeded: 8, failed: 1, aborted: 0, deleted: 1 },
  changes: [{ task: ID, name: 'a', from: 'failed', state: 'succeeded' }],
  more: 1,
  incomplete: [{ task: ID, name: 'b', state: 'failed' }],
  deliveries: [{ id: ID, kind: 'mail', state: 'succeeded' }],
};

describe('the bar of a batch', () => {
  it('has the parts of its tasks in proportion, without the deleted ones', () => {
    const html = render(<BatchBar batch={batch()} />);
    expect(html).toContain('<rect class="succeeded" x="0" width="80" height="10">');
    expect(html).toContain('<rect class="failed" x="80" width="20" height="10">');
  });

  it('says the same in words', () => {
    expect(textOf(<BatchBar batch={batch()} />)).toBe('4 of 8 succeeded, 1 failed');
    expect(textOf(<BatchBar batch={batch({ total: 0, deleted: 0, succeeded: 0, failed: 0 })} />)).toBe(
      '0 of 0 succeeded',
    );
  });
});

const details = (more: Partial<BatchView> = {}): BatchDetails => ({ ...batch(more), openTasks: [] });

describe('the batches', () => {
  it('are listed with their states and bars', () => {
    const html = render(<Batches batches={[batch()]} />);
    expect(html).toContain(`<a href="#/batches/${ID}">CAN ingest 4711</a>`);
    expect(html).toContain('<span class="state running">running</span>');
    expect(html).toContain('4 of 8 succeeded');
  });

  it('are missing at first, and the page says what to do', () => {
    expect(textOf(<Batches batches={[]} />)).toContain('waybill.planBatch');
  });
});

describe('a batch', () => {
  it('shows its fields, and leads to its graph', () => {
    const page = <Batch seen={{ batch: details(), tasks: [], tally: [], reports: [] }} onDone={() => {}} />;
    expect(textOf(page)).toContain('Labels\ncustomer=acme');
    expect(render(page)).toContain(`href="#/batches/${ID}/graph"`);
  });

  it('lists what is still open, with the commands that end it', () => {
    const open = {
      queue: 'files',
      state: 'held',
      stateName: 'on hold',
      tasks: 2,
      commands: ['ReleaseTask', 'AbortTask'],
    };
    const seen = { batch: { ...details(), openTasks: [open] } as BatchDetails, tasks: [], tally: [], reports: [] };
    expect(textOf(<Batch seen={seen} onDone={() => {}} />)).toContain('2 on hold of files: release or abort');
  });

  it('offers what the service says that it takes now', () => {
    const commands = ['ReleaseBatch', 'DeleteBatch'] as const;
    expect(stepsOn({ commands: [...commands] }).map(({ name }) => name)).toEqual(['Release', 'Delete']);
    expect(stepsOn({ commands: [] })).toEqual([]);
  });

  it('says why it has no reports', () => {
    const shown = (more: Partial<BatchView>) =>
      textOf(<Batch seen={{ batch: details(more), tasks: [], tally: [], reports: [] }} onDone={() => {}} />);
    expect(shown({})).toContain('No reports yet: it reports when all its tasks have ended.');
    expect(shown({ state: 'deleted' })).toContain('No reports: the batch was deleted before it ended.');
    expect(shown({ state: 'failed', error: 'no such manifest' })).toContain('Could not be planned: no such manifest');
  });

  it('shows what its reports said, and their deliveries', () => {
    const page = (
      <Batch
        seen={{
          batch: details(),
          tasks: [],
          tally: [{ queue: 'jobs', step: 'Estimating', state: 'running', stateName: 'Downloading', tasks: 3 }],
          reports: [REPORT, { ...REPORT, number: 3, about: 'task', counts: null, changes: [REPORT.changes[0]!] }],
        }}
        onDone={() => {}}
      />
    );
    expect(textOf(page)).toContain('8 of 9 complete; 2 changed; not complete: b');
    expect(textOf(page)).toContain('a, run again: succeeded');
    expect(textOf(page)).toContain('Downloading');
    expect(render(page)).toContain(`href="#/tasks/${ID}"`);
  });

  const ALL = ['ReleaseBatch', 'RequestReport', 'RerunBatch', 'AbortBatch', 'DeleteBatch'] as const;
  it.each(stepsOn({ commands: [...ALL] }).map(({ name, run }) => [name, run] as const))(
    '%s sends the reason to the service',
    async (_, run) => {
      const told: unknown[] = [];
      const handle = new Proxy(
        {},
        {
          get:
            () =>
            async (...given: unknown[]) =>
              void told.push(...given),
        },
      );
      await run(handle as never, 'planned twice');
      expect(told).toEqual([{ reason: 'planned twice' }]);
    },
  );
});
