import { describe, expect, it } from '@jest/globals';
import type { SystemView, TriggerView } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { actionsOn, Triggers } from '../src/pages/triggers.js';
import { Draining } from '../src/parts/drain-banner.js';
import { textOf } from './text-of.js';

const TASK = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const AT = '2026-11-23T01:30:00.000Z';

const trigger = (more: Partial<TriggerView> = {}): TriggerView => ({
  name: 'nightly-report',
  state: 'enabled',
  description: 'Sales of the day before',
  cron: '30 2 * * 1-5',
  timeZone: 'Europe/Berlin',
  words: 'At 02:30, Monday through Friday',
  missed: 'latest',
  task: { queue: 'reports' },
  next: ['2026-11-24T01:30:00.000Z'],
  last: { occurrence: AT, task: TASK, firedAt: AT },
  lastItem: null,
  skipped: null,
  failure: null,
  revision: 1,
  position: '9',
  ...more,
});

const page = (...triggers: readonly TriggerView[]) => <Triggers triggers={triggers} onDone={() => undefined} />;

describe('the triggers', () => {
  it('are listed with their patterns in words, and their next and last firings', () => {
    const html = render(page(trigger()));
    expect(html).toContain('At 02:30, Monday through Friday');
    expect(html).toContain('30 2 * * 1-5, Europe/Berlin');
    expect(html).toContain('title="2026-11-24T01:30:00.000Z"');
    expect(html).toContain(`href="#/tasks/${TASK}"`);
    expect(html).toContain('href="#/queues/reports"');
  });

  it('of a queue lead to the job that they made last, and to its last item', () => {
    const item = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e50';
    const { cron: _cron, timeZone: _zone, missed: _missed, ...rest } = trigger({ queue: 'items', batchSize: 5 });
    const shown = page({ ...rest, every: 30, words: "Looks into 'items' every 30 s", lastItem: item });
    expect(textOf(shown)).toContain('Job 1b2d3e4f, last item 1b2d3e50');
    for (const id of [TASK, item]) expect(render(shown)).toContain(`href="#/tasks/${id}"`);
  });

  it('say why they fail, and when they try again', () => {
    const problem = { type: 'x', title: 'x', status: 409, code: 'DRAINING', detail: "'ann' drains the system" };
    const html = render(page(trigger({ failure: { failures: 2, problem, retryAt: AT } })));
    expect(html).toContain('<span class="state failed">failing</span>');
    expect(html).toContain("'ann' drains the system");
  });

  it('say what they left out', () => {
    const skipped = { count: 4_220, from: '2026-11-20T01:30:00.000Z', to: AT, total: 4_220 };
    const shown = textOf(page(trigger({ skipped })));
    expect(shown).toContain(`occurrences from 2026-11-20T01:30:00.000Z to ${AT}`);
    expect(textOf(page(trigger({ skipped: { ...skipped, count: 1 } })))).toContain(
      'Left out the occurrence of 2026-11-20',
    );
  });

  it('that never fired or are disabled have no times', () => {
    expect(textOf(page(trigger({ state: 'disabled', next: [], last: null })))).toContain('disabled');
  });

  it('can be fired, and enabled or disabled', () => {
    expect(actionsOn(trigger()).map(({ name }) => name)).toEqual(['Fire', 'Disable']);
    expect(actionsOn(trigger({ state: 'disabled' })).map(({ name }) => name)).toEqual(['Fire', 'Enable']);
  });

  it('are explained if there are none', () => {
    expect(textOf(page())).toContain('No triggers yet');
  });
});

describe('the banner of a drain', () => {
  const system = (more: Partial<SystemView> = {}): SystemView => ({
    state: 'draining',
    drain: { intake: 'closed', running: 'cancel', reason: 'we deploy', by: 'ann', since: AT },
    running: 2,
    stopped: 3,
    notResumed: 0,
    quarantined: 0,
    mendedRows: 0,
    skippedEvents: 0,
    doubledEvents: 0,
    quarantinedTasks: [],
    failingTargets: 0,
    firstFailingTargets: [],
    eventsPutAside: 0,
    firstEventsPutAside: [],
    lastSweepSeconds: 1,
    eventStoreVersion: null,
    leaders: [],
    failingItems: 0,
    refusedOutboxRows: 0,
    failingTriggers: 0,
    skippedOccurrences: 0,
    ...more,
  });
  const banner = (view: SystemView) => textOf(<Draining system={view} onDone={() => undefined} />);

  it('says who drains the system and why, what still runs, and how to resume', () => {
    expect(banner(system())).toBe(
      'ann drains the system: we deploy. No task is given out, and new ones are refused. 2 tasks still run. ' +
        '3 tasks will be resumed.\nResume',
    );
  });

  it("tells the service's own tasks from others", () => {
    const own = (running: number, runningInternal: number, stoppedInternal: number) =>
      banner(system({ running, runningInternal, stoppedInternal })).split(' refused. ')[1]!.split('\n')[0];
    expect(own(3, 1, 1)).toBe(
      '2 tasks, and 1 task of the service itself still run. 2 tasks, and 1 task of the service itself will be resumed.',
    );
    expect(own(1, 1, 3)).toBe(
      '1 task of the service itself still runs. 3 tasks of the service itself will be resumed.',
    );
    expect(own(1, 0, 0)).toBe('1 task still runs. 3 tasks will be resumed.');
  });

  it('says when nothing runs any more', () => {
    expect(banner(system({ running: 0, stopped: 0 }))).toContain('No task runs any more.');
  });

  it('is not there unless the system drains', () => {
    expect(banner(system({ state: 'running', drain: null }))).toBe('');
  });
});
