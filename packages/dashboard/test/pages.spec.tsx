import { describe, expect, it, jest } from '@jest/globals';
import type {
  LeaderView,
  EventView,
  ProjectionView,
  QueueStats,
  QuarantinedTask,
  QueueView,
  SystemView,
  TaskDetails,
  TaskExplanation,
  TaskSummary,
  WorkerView,
} from '@waybill/client';
import { WaybillError } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Queue } from '../src/pages/queue.js';
import { Queues } from '../src/pages/queues.js';
import { System } from '../src/pages/system.js';
import { Task } from '../src/pages/task.js';
import { asked, FilterForm, listed, pagesOf, Tasks } from '../src/pages/tasks.js';
import { Shown } from '../src/parts/shown.js';
import { Rates } from '../src/rates.js';
import { apiKey } from '../src/service.js';
import { textOf } from './text-of.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const AT = '2026-11-22T10:00:00.000Z';

const view = (more: object = {}) =>
  ({
    name: 'mail',
    description: 'Letters',
    state: 'active',
    intake: { open: true },
    policy: { leaseMs: 30_000 },
    policyVersion: 3,
    ...more,
  }) as unknown as QueueView;
const stats = (counts: object = {}) =>
  ({
    queue: 'mail',
    counts,
    failuresByClass: {},
    waitingMs: { count: 2, total: 3_000, max: 2_000 },
    runningMs: { count: 0, total: 0, max: 0 },
    oldestWaitingMs: 65_000,
  }) as unknown as QueueStats;
const task = (more: object = {}) =>
  ({
    id: ID,
    queue: 'mail',
    state: 'failed',
    stateName: 'FAILED',
    waitingFor: null,
    kind: 'task',
    key: 'k',
    reference: null,
    priority: 0,
    labels: { team: 'blue' },
    description: null,
    context: null,
    dueAt: null,
    enqueuedAt: AT,
    startedAt: AT,
    endedAt: null,
    finishedAt: null,
    updatedAt: AT,
    attempt: 2,
    worker: 'w1',
    lastStep: null,
    steps: [],
    data: {},
    items: [],
    job: null,
    rerunOf: null,
    rerun: null,
    percent: null,
    lastHeartbeatAt: null,
    progress: [],
    error: { class: 'business', message: '<script>alert(1)</script>' },
    payload: { to: 'ann' },
    result: null,
    ...more,
  }) as unknown as TaskDetails;
const event = (type: string, data: object, position = '7') =>
  ({ position, stream: `task-${ID}`, recordedAt: AT, type, data, envelope: { actor: 'ann' } }) as unknown as EventView;
const why = (reasons: object[], allowed: readonly string[]) =>
  ({ taskId: ID, reasons, rank: null, allowed }) as unknown as TaskExplanation;

describe('the queues', () => {
  it('are shown with their counts, each of which links to its tasks', () => {
    const html = render(<Queues rows={[{ view: view(), stats: stats({ pending: 1_234 }) }]} rates={new Rates()} />);
    expect(html).toContain('<a href="#/queues/mail">mail</a>');
    expect(html).toContain('<a href="#/tasks?queue=mail&amp;state=pending">1 234</a>');
    expect(html).toContain('65 s');
  });

  it('are missing at first, and the page says what to do', () => {
    expect(textOf(<Queues rows={[]} rates={new Rates()} />)).toContain('npx waybill queue define mail');
  });

  it("stand apart from the service's own", () => {
    const names = ['mail', 'waybill.mail', 'zip'];
    const rows = names.map((name) => ({ view: view({ name, internal: name === 'waybill.mail' }), stats: null }));
    const [own, ofService] = render(<Queues rows={rows} rates={new Rates()} />).split(
      'Queues of the service itself</h2>',
    );
    expect([own!.includes('>mail<'), own!.includes('>zip<'), own!.includes('>waybill.mail<')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([ofService!.includes('>waybill.mail<'), ofService!.includes('>zip<')]).toEqual([true, false]);
  });

  it('show a closed one, and who closed it', () => {
    const pause = { by: 'ann', reason: 'lunch', until: null, failure: null };
    const shut = view({ state: 'paused', pause, intake: { open: false, by: 'bob', reason: 'full' } });
    const text = textOf(<Queue seen={{ view: shut, stats: stats({ failed: 2 }), failed: [] }} onDone={() => {}} />);
    expect(text).toContain('Paused by\nann: lunch');
    expect(text).toContain('closed by bob: full');
    expect(text).toMatch(/^Resume\nOpen intake\nDelete\nStop and delete$/m);
    expect(text).toContain('1.5 s on average, 2.0 s at most');
  });
});

const ALONE = { nodes: [], edges: [], cause: [], total: 1, folded: false, truncated: false };

const seen = (more: object, events: EventView[] = [], reasons: object[] = [], allowed: readonly string[] = []) => (
  <Task
    seen={{
      task: task(more),
      stepRules: [],
      events,
      why: why(reasons, allowed),
      graph: ALONE,
      atMs: Date.parse(AT) + 5_000,
    }}
    onDone={() => {}}
  />
);

describe('a task', () => {
  it('shows its fields, and what others wrote only as text', () => {
    const html = render(seen({}));
    expect(html).toContain('business: &lt;script>alert(1)&lt;/script>');
    expect(html).not.toContain('<script>');
    expect(textOf(seen({}))).toContain('Labels\nteam=blue');
  });

  it('links to the task that it runs again, and to its copy', () => {
    const html = render(seen({ rerunOf: 'original', rerun: 'copy' }));
    expect(html).toContain('<dt>Runs again</dt><dd><a href="#/tasks/original">original</a></dd>');
    expect(html).toContain('<dt>Run again by</dt><dd><a href="#/tasks/copy">copy</a></dd>');
    expect(textOf(seen({}))).not.toContain('again');
  });

  it('shows the stack of its error folded, and as text', () => {
    const details = { stack: 'Error: <b>m</b>\n    at work (mail.ts:1:1)', line: 3 };
    const html = render(seen({ error: { class: 'bug', message: 'm', details } }));
    expect(html).toMatch(/<details><summary>Stack<\/summary><pre[^>]*>Error: &lt;b>m&lt;\/b>\n {4}at work \(mail/);
    expect(render(seen({}))).not.toContain('Stack');
  });

  it.each([
    [
      ['RetryTask', 'ReprioritiseTask', 'AbortTask', 'DeleteTask'],
      ['Retry', 'Abort', 'Delete'],
    ],
    [
      ['DecideRetry', 'DecideFail', 'CancelTask', 'AbortTask'],
      ['Decide: retry', 'Decide: fail', 'Cancel', 'Abort'],
    ],
    [
      ['ReleaseTask', 'CancelTask'],
      ['Release', 'Cancel'],
    ],
    [['HoldTask', 'OverruleTask'], ['Hold']],
    [['DeleteTask'], ['Delete']],
  ])('offers the actions that the service allows: %j', (allowed, names) => {
    const html = render(seen({}, [], [], allowed));
    expect([...html.matchAll(/<button type="button">([^<]+)</g)].map(([, name]) => name)).toEqual(names);
    expect(html).not.toContain('<dialog');
  });
});

describe('the progress of a task', () => {
  const bars = [
    { title: 'links', start: 0, end: 120, position: 70, attempt: 2 },
    { title: 'checksums', start: 10, end: 20, position: 10, attempt: 2 },
  ];

  it('is shown as one bar per title, with its amounts', () => {
    const html = render(seen({ progress: bars }));
    expect(html).toMatch(/<progress max="100" value="58.3[^"]*" aria-label="links"/);
    expect(html).toContain('<progress max="100" value="0" aria-label="checksums"');
    expect(textOf(seen({ progress: bars }))).toContain('links\n70 of 120\nchecksums\n10 from 10 to 20');
    expect(render(seen({}))).not.toContain('<progress');
  });

  it('is shown in lists as a percentage, with the last heartbeat', () => {
    const running = task({ percent: 58, lastHeartbeatAt: AT });
    const html = render(<Tasks first={{ items: [running], nextCursor: null }} onMore={() => {}} />);
    expect(html).toContain('<td class="number">58 %</td>');
    expect(html).toContain(`title="last heartbeat ${AT}"`);
  });
});

describe('the texts about a task', () => {
  it('say why it does not run, while that is the question', () => {
    const held = [{ because: 'held', by: 'ann', reason: 'not yet' }];
    expect(textOf(seen({ state: 'held' }, [], held))).toContain('ann is holding it: not yet.');
    expect(textOf(seen({ state: 'running' }, [], [{ because: 'state', state: 'running' }]))).not.toContain('It is');
  });

  it('say what ended it, its error once, and what can be done', () => {
    const error = { class: 'business', message: 'no such address' };
    const ended = {
      because: 'ended',
      state: 'failed',
      by: 'w1',
      at: AT,
      reason: null,
      error,
      final: false,
      taskId: null,
    };
    const text = textOf(seen({ error }, [], [ended], ['RetryTask', 'AbortTask']));
    expect(text).toContain(`It failed at ${AT}, recorded by w1.\nIt can be retried or aborted.`);
    expect(text.match(/no such address/g)).toHaveLength(1);
  });

  it('show times to the millisecond, with the time zone', () => {
    const text = textOf(seen({ enqueuedAt: '2026-11-22T10:00:00.045Z' }));
    expect(text).toMatch(/^.*2026.*\D00\D045.* (UTC|GMT|[A-Z]{2,5}).*$/m);
  });

  it('show the whole history', () => {
    const events = [
      event('TaskEnqueued', { kind: 'task' }, '7'),
      event('TaskClaimed', { attempt: 1, worker: 'w1', waitedMs: 4, token: '9' }, '8'),
    ];
    const text = textOf(seen({ state: 'running', error: null }, events));
    expect(text).toMatch(/7 .* TaskEnqueued ann kind 'task', priority 0/);
    expect(text).toMatch(/8 .* TaskClaimed ann attempt 1, waited 4 ms, fencing token 9/);
    expect(text).toContain('attempt 1 by w1, 5.0 s so far');
  });
});

describe('tasks in a list', () => {
  const page = (nextCursor: string | null, ...tasks: TaskSummary[]) => ({ items: tasks, nextCursor });
  const more = () => {};

  it('are shown in the words of their queue, page by page', () => {
    const html = render(<Tasks first={page('c', task())} onMore={more} />);
    expect(html).toContain(`href="#/tasks/${ID}"`);
    expect(html).toContain('<span class="state failed">FAILED</span>');
    expect(html).toContain('More');
    expect(render(<Tasks first={page(null, task())} onMore={more} />)).not.toContain('More');
    expect(textOf(<Tasks first={page(null)} onMore={more} />)).toBe('No task matches.');
  });

  it('are read up to the number shown, each of them once', async () => {
    const all = Array.from({ length: 700 }, (_, n) => task({ id: `${n}` }));
    const read = (cursor = '0', limit = 0) => {
      const next = Number(cursor) + limit;
      const items = all.slice(Math.max(0, Number(cursor) - 1), next);
      return Promise.resolve({ items, nextCursor: next < all.length ? `${next}` : null });
    };
    const some = await pagesOf(read, 600);
    expect([some.items.map(({ id }) => id), some.nextCursor]).toEqual([all.slice(0, 600).map(({ id }) => id), '600']);
    expect((await pagesOf(read, 900)).nextCursor).toBeNull();
  });

  it('are searched by a form that begins with the current filter', () => {
    const html = render(<FilterForm filter={{ queue: 'mail', state: 'failed' }} />);
    expect(html).toMatch(/<input name="queue" value="mail"/);
    expect(html).toMatch(/<option value="failed" selected>/);
    expect(html.match(/ selected/g)).toHaveLength(1);
  });

  it('are searched by the filter in the URL', () => {
    expect(asked({ queue: 'mail', state: 'failed', label: 'a=b=c' })).toEqual({
      queue: 'mail',
      state: 'failed',
      label: { name: 'a', value: 'b=c' },
    });
    expect(asked({})).toEqual({});
    expect(listed({ state: 'failed' })).toEqual({ state: 'failed', internal: false });
    expect(listed({ queue: 'waybill.mail' })).toEqual({ queue: 'waybill.mail' });
  });
});

const SYSTEM: SystemView = {
  state: 'running',
  drain: null,
  running: 0,
  stopped: 0,
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
  failingItems: 0,
  refusedOutboxRows: 0,
  failingTriggers: 0,
  skippedOccurrences: 0,
  lastSweepSeconds: null,
  eventStoreVersion: null,
  leaders: [],
};
const systemPage = (system: Partial<SystemView>): string =>
  textOf(
    <System
      system={{ ...SYSTEM, ...system }}
      workers={[]}
      holds={[]}
      resources={[]}
      projections={[]}
      apiKeys={null}
      onDone={() => undefined}
    />,
  );

it('the system page shows which tasks cannot be read, since when, why, and when they are read again', () => {
  const task = {
    taskId: 't1',
    queue: 'mail',
    state: 'pending' as const,
    position: '7',
    reason: 'no such field',
    since: AT,
  };
  const quarantinedTasks: QuarantinedTask[] = [
    { ...task, until: AT },
    { ...task, taskId: 't2', queue: null, state: null, position: null, until: null },
  ];
  const text = systemPage({ quarantined: 3, quarantinedTasks });
  expect(text).toContain('3 tasks cannot be read by this build. These are the first 2.');
  expect(text).toMatch(/t1\s+mail\s+pending\s+.+\s+.+\s+7\s+no such field/);
  expect(text).toMatch(/t2\s+-\s+-\s+.+\s+when a service starts\s+-\s+no such field/);
  expect(systemPage({})).not.toContain('Quarantine');
});

it('the system page shows where deliveries fail, and when they are tried again', () => {
  const failing = { failures: 4, error: 'no answer', failedAt: AT, until: AT };
  const firstFailingTargets = [
    { target: 'shop.example.com', ...failing },
    { target: 'mail', ...failing },
  ];
  const text = systemPage({ failingTargets: 2, firstFailingTargets });
  expect(text).toContain('2 targets of mail and webhooks failed so often in a row that they are tried seldom.');
  expect(text).toMatch(/shop\.example\.com\s+4\s+.+\s+.+\s+no answer/);
  expect(text).toMatch(/the mail server\s+4/);
  expect(systemPage({})).not.toContain('Deliveries that fail');
});

it('the system page counts the rows of the outbox that were refused', () => {
  expect(systemPage({ refusedOutboxRows: 2 })).toContain('2 rows of the outbox refused');
  expect(systemPage({})).not.toContain('outbox');
});

it('the system page shows which events are put aside, for which trigger, why, and when they are tried again', () => {
  const event = { reaction: 'event-triggers', trigger: 'audit', position: '7', reason: 'contended' };
  const text = systemPage({ eventsPutAside: 3, firstEventsPutAside: [{ ...event, tries: 2, since: AT, until: AT }] });
  expect(text).toContain('3 events that reactions and triggers could not deal with are tried again; others go on.');
  expect(text).toMatch(/event-triggers\s+audit\s+7\s+.+\s+2\s+.+\s+contended/);
  const lost = { ...event, reaction: 'dispatch-index', tries: 1, since: AT, until: null };
  expect(systemPage({ eventsPutAside: 1, firstEventsPutAside: [lost] })).toContain('when a service starts');
  expect(systemPage({})).not.toContain('put aside');
});

it('the system page shows who leads, and how long ago a process swept', () => {
  const term = { process: 'host-1:42', since: AT, until: AT, workedAt: null, workedSeconds: null };
  const leaders: LeaderView[] = [
    { ...term, role: 'follower queue-stats 1', state: 'vacant' },
    { ...term, role: 'sweeper', state: 'leading', workedAt: AT, workedSeconds: 2 },
  ];
  const text = systemPage({ leaders, lastSweepSeconds: 2 });
  expect(text).toContain('A process swept 2.0 s ago.');
  expect(text).toMatch(/follower queue-stats 1\s+vacant\s+host-1:42\s+.+\s+-/);
  expect(text).toMatch(/sweeper\s+leading\s+host-1:42\s+.+\s+2\.0 s ago/);
  expect(systemPage({})).toContain('No process has swept yet.');
});

it('the system page shows the workers, and which read model stopped', () => {
  const worker = { name: 'w1', server: 's1', queues: ['mail', 'sms'], lastSeenAt: AT, claimed: 1_000, stuck: 1 };
  const stopped = {
    name: 'queue-stats',
    status: 'stopped',
    lagEvents: 12,
    lagSeconds: 75,
    position: '5',
    error: 'no such event',
    stoppedAt: '6',
  };
  const text = textOf(
    <System
      system={SYSTEM}
      workers={[worker as unknown as WorkerView]}
      holds={[]}
      resources={[]}
      projections={[stopped as unknown as ProjectionView]}
      apiKeys={null}
      onDone={() => undefined}
    />,
  );
  expect(text).toContain('w1\ns1\nmail, sms');
  expect(text).toContain('1 handler goes on with a task it lost');
  expect(text).toContain('stopped at 6: no such event\n75 s\n12\n5');
});

describe('data of a page', () => {
  const live = (data: string | null, error: unknown) => ({ data, error, refresh: () => {} });
  const shown = (data: string | null, error: unknown) => textOf(<Shown live={live(data, error)}>{(one) => one}</Shown>);
  const refused = (status: number) =>
    new WaybillError({ type: '', title: '', status, code: 'CODE', detail: 'Expected so, but not' });

  it('is loading, shown, missing because of an error, or old', () => {
    expect(shown(null, null)).toBe('Loading …');
    expect(shown('data', null)).toBe('data');
    expect(shown(null, refused(404))).toBe('CODE: Expected so, but not');
    expect(shown('data', new Error('away'))).toBe('away The data below may be out of date.data');
  });

  it.each([
    [undefined, false],
    ['wrong', true],
  ])('needs an API key if the service requires one, and has %s', (key, isTold) => {
    jest.spyOn(apiKey, 'get').mockReturnValue(key);
    const text = shown('data', refused(401));
    expect(text).toContain('This service requires an API key');
    expect(text.includes('The service does not accept your API key')).toBe(isTold);
  });
});
