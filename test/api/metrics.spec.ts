import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { replaced } from '../support/rebuilt.js';
import { isElsewhere, type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const read = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();

/** The samples by series: `name{label="value"}`. */
const samplesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(Array.from(text.matchAll(/^(\S+\{.*\}|\w+) (\S+)$/gm), ([, series, value]) => [series!, Number(value)]));

/** Resolves when the series has the value. */
async function seen(series: string, value: number): Promise<void> {
  await until(`${series} to be ${value}`, async () => (samplesIn(await read()).get(series) === value ? true : null));
}

const familiesIn = (text: string): string[] => [...text.matchAll(/^# TYPE (waybill_\w+)/gm)].map(([, name]) => name!);

describe('GET /metrics', () => {
  it("shows the counts of a queue's tasks, and the queue's state", async () => {
    const mail = service.waybill.queue('mail');
    await mail.define();
    await mail.enqueueMany(Array.from({ length: 4 }, (_, n) => ({ payload: n })));
    const claimedTasks = await mail.claim({ worker: 'w1', max: 2 });
    const [done, broken] = claimedTasks.map(({ taskId, token }) => ({ taskId, token }));
    const error = { class: 'transient', message: 'no route' } as const;
    await service.waybill.settle([
      { ...done!, verdict: { type: 'succeed' } },
      { ...broken!, verdict: { type: 'fail', error } },
    ]);
    await mail.closeIntake({ reason: 'full' });
    const { position } = await mail.pause({ reason: 'lunch' });
    await service.caughtUp('queue-stats', position);

    const metrics = samplesIn(await read());
    const of = (name: string, labels = ''): number | undefined => metrics.get(`${name}{queue="mail"${labels}}`);
    expect({
      pending: of('waybill_tasks', ',state="pending"'),
      succeeded: of('waybill_tasks', ',state="succeeded"'),
      failed: of('waybill_tasks', ',state="failed"'),
      running: of('waybill_tasks', ',state="running"'),
      claims: of('waybill_claims_total'),
      attempts: of('waybill_attempts_total'),
      transient: of('waybill_attempt_failures_total', ',class="transient"'),
      bug: of('waybill_attempt_failures_total', ',class="bug"'),
      paused: of('waybill_queue_state', ',state="paused"'),
      active: of('waybill_queue_state', ',state="active"'),
      open: of('waybill_queue_intake_open'),
    }).toEqual({
      pending: 2,
      succeeded: 1,
      failed: 1,
      running: 0,
      claims: 2,
      attempts: 2,
      transient: 1,
      bug: 0,
      paused: 1,
      active: 0,
      open: 0,
    });
  });

  it('counts the submissions for which a task with their key stood', async () => {
    const keyed = service.waybill.queue('keyed');
    await keyed.define();
    const { id } = await keyed.enqueue({ n: 1 }, { key: 'k' });
    const again = [
      { queue: 'keyed', key: 'k' },
      { queue: 'keyed', key: 'k' },
      { queue: 'keyed', key: 'l' },
    ];
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ tasks: [...again, { id, queue: 'keyed', payload: { n: 1 }, key: 'k' }] });
    const answer = await fetch(`${service.url}/v1/tasks/batch`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({
      deduplicated: 2,
      results: [
        { id, status: 'existing' },
        { id, status: 'existing' },
        { status: 'enqueued' },
        { id, status: 'existing' },
      ],
    });
    expect(samplesIn(await read()).get('waybill_deduplicated_total{queue="keyed"}')).toBe(2);
  });

  it('counts submissions that a task took in', async () => {
    const queue = service.waybill.queue('sync');
    await queue.define({ duplicatePending: 'gather' });
    for (const payload of [1, 2, 3]) await queue.enqueue(payload, { key: 'a' });
    const samples = samplesIn(await read());
    expect(samples.get('waybill_gathered_total{queue="sync"}')).toBe(2);
    expect(samples.has('waybill_deduplicated_total{queue="sync"}')).toBe(false);
  });

  it('counts the tasks that limits and rates keep from starting, those of the queue and those of values', async () => {
    const slow = { starts: 1, perMs: 3_600_000, burst: 1 };
    const values = [{ value: 'acme', rate: slow }];
    const policies = {
      whole: { maxRunning: 1 },
      serial: { concurrency: 'serial' },
      servers: { concurrency: { perServer: 1 } },
      paced: { rate: slow },
      values: { perLabel: { label: 'customer', maxRunning: 1, values }, needs: {} },
      free: {},
    } as const;
    const acme = { labels: { customer: 'acme' } };
    for (const [name, policy] of Object.entries(policies)) {
      const queue = service.waybill.queue(name);
      await queue.define(policy);
      for (let n = 0; n < 3; n++) await queue.enqueue(n, acme);
      if (name === 'values') await queue.enqueue({}, { labels: { customer: 'bolt' } });
      await queue.claim({ worker: 'w', max: name === 'free' ? 1 : 10 });
    }
    await service.waybill.queue('paced').enqueue({}, { dueAt: new Date(1) });
    await service.waybill.queue('values').enqueue({}, { ...acme, needs: { gpu: true } });
    const samples = samplesIn(await read());
    const of = (queue: string) =>
      ['running', 'rate'].map((limit) => samples.get(`waybill_limited_tasks{queue="${queue}",limit="${limit}"}`));
    expect(Object.fromEntries(Object.keys(policies).map((queue) => [queue, of(queue)]))).toEqual({
      whole: [2, 0],
      serial: [2, 0],
      servers: [2, 0],
      paced: [0, 3],
      values: [3, 3],
      free: [0, 0],
    });
  });

  it('counts the tasks whose handlers wait, for a signal and for a time, until they go on', async () => {
    const queue = service.waybill.queue('handlers');
    await queue.define({});
    const waits = { type: 'wait', number: 1, timeoutMs: 3_600_000 } as const;
    const verdicts = [{ ...waits, signal: 'paid' }, waits, { ...waits, signal: 'sent' }];
    await queue.enqueueMany(verdicts.map(() => ({})));
    const claims = await queue.claim({ worker: 'w', max: 3 });
    await service.waybill.settle(claims.map(({ taskId, token }, at) => ({ taskId, token, verdict: verdicts[at]! })));
    const [paid, slept, sent] = claims.map(({ taskId }) => service.waybill.task(taskId));
    const counted = async () => {
      const samples = samplesIn(await read());
      return ['signal', 'time'].map((what) => samples.get(`waybill_waiting_handlers{queue="handlers",for="${what}"}`));
    };
    expect(await counted()).toEqual([2, 1]);
    await sent!.hold({ reason: 'not now' });
    expect(await counted()).toEqual([1, 1]);
    await sent!.release();
    await replaced(service.databaseUrl, 'index');
    expect(await counted()).toEqual([2, 1]);
    await paid!.signal('paid');
    await slept!.reschedule(new Date(Date.now() + 3_600_000));
    expect(await counted()).toEqual([1, 0]);
    await queue.claim({ worker: 'w' });
    await sent!.cancel();
    expect(await counted()).toEqual([0, 0]);
  });

  it('shows times in seconds, including those of waiting tasks', async () => {
    const slow = service.waybill.queue('slow');
    await slow.define();
    const { position } = await slow.enqueue({});
    await service.caughtUp('queue-stats', position);
    await service.pool.query(`update tasks set enqueued_at = now() - interval '90 s' where queue = 'slow'`);
    await service.pool.query(
      `update ready set since = now() - interval '90 s' where queue = 'slow' and since is not null`,
    );
    await service.pool.query(
      `update queue_stats set waited_count = 2, waited_total_ms = 2500, ran_total_ms = 750 where queue = 'slow'`,
    );
    await service.waybill.queue('empty').define();
    const metrics = samplesIn(await read());
    const age = metrics.get('waybill_oldest_ready_age_seconds{queue="slow"}')!;
    expect(age).toBeGreaterThanOrEqual(90);
    expect(age).toBeLessThan(90 * 60);
    expect(metrics.get('waybill_oldest_ready_age_seconds{queue="empty"}')).toBe(0);
    expect(metrics.get('waybill_wait_seconds_total{queue="slow"}')).toBe(2.5);
    expect(metrics.get('waybill_run_seconds_total{queue="slow"}')).toBe(0.75);
  });

  it('shows in histograms how long tasks waited and ran, also after a restart', async () => {
    const timed = service.waybill.queue('timed');
    await timed.define();
    const { position } = await timed.enqueue(1);
    await service.caughtUp('queue-stats', position);
    await service.pool.query(
      `update queue_stats set waited_upto_250 = 2, waited_upto_5000 = 1, waited_count = 4, waited_total_ms = 7210250 where queue = 'timed'`,
    );
    await service.restart();
    const metrics = samplesIn(await read());
    const of = (le: string) => metrics.get(`waybill_task_wait_seconds_bucket{queue="timed",le="${le}"}`);
    expect(['0.05', '0.25', '1', '5', '3600', '+Inf'].map(of)).toEqual([0, 2, 2, 3, 3, 4]);
    expect(metrics.get('waybill_task_wait_seconds_sum{queue="timed"}')).toBe(7210.25);
    expect(metrics.get('waybill_task_wait_seconds_count{queue="timed"}')).toBe(4);
    expect(metrics.get('waybill_attempt_seconds_bucket{queue="timed",le="+Inf"}')).toBe(0);
  });

  it('shows how many tasks a queue has in the archive, and when it was last looked through', async () => {
    const kept = service.waybill.queue('kept');
    await kept.define();
    await service.waybill.task((await kept.enqueue({})).id).delete();
    const { policyVersion } = await kept.get();
    await kept.changePolicy({ retention: { deleted: 0 } }, { ifVersion: policyVersion });
    await seen('waybill_archived_tasks{queue="kept"}', 1);
    const metrics = samplesIn(await read());
    const ageOf = (queue: string) => metrics.get(`waybill_last_archiving_age_seconds{queue="${queue}"}`);
    expect(ageOf('kept')).toBeGreaterThanOrEqual(0);
    expect(ageOf('mail')).toBeUndefined();
  });

  it('shows how many values of a label wait for their turns, in queues that are shared fairly', async () => {
    const shared = service.waybill.queue('shared');
    await shared.define({ fair: { label: 'tenant' } });
    for (const tenant of ['acme', 'acme', 'bolt']) await shared.enqueue({}, { labels: { tenant } });
    await shared.claim({ worker: 'w', max: 1 });
    await seen('waybill_values_waiting{queue="shared"}', 2);
    await shared.claim({ worker: 'w', max: 1 });
    await seen('waybill_values_waiting{queue="shared"}', 1);
    expect([...samplesIn(await read()).keys()].filter((name) => name.startsWith('waybill_values_waiting'))).toEqual([
      'waybill_values_waiting{queue="shared"}',
    ]);
  });

  it('shows the lag of each follower, and whether it stopped', async () => {
    const metrics = samplesIn(await read());
    for (const { name } of await service.waybill.projections()) {
      const [seconds, events] = ['seconds', 'events'].map((unit) =>
        metrics.get(`waybill_projection_lag_${unit}{projection="${name}"}`),
      );
      expect(seconds).toBeGreaterThanOrEqual(0);
      if (isElsewhere) expect(events).toBeUndefined();
      else expect(events).toBeGreaterThanOrEqual(0);
      expect(metrics.get(`waybill_projection_stopped{projection="${name}"}`)).toBe(0);
    }
    expect(metrics.get('waybill_projection_stopped{projection="queue-stats"}')).toBe(0);
    const events = [...metrics.keys()].filter((series) => series.startsWith('waybill_projection_lag_events'));
    expect(events.length > 0).toBe(!isElsewhere);
  });

  it('shows how long ago a process swept last', async () => {
    await service.pool.query(`update leaders set worked_at = now() - interval '90 s' where role = 'sweeper'`);
    const age = 'waybill_last_sweep_age_seconds';
    expect(samplesIn(await read()).get(age)).toBeGreaterThan(0);
    await until('a sweep to be told', async () => samplesIn(await read()).get(age)! < 30 || null);
    await service.pool.query(`update leaders set worked_at = null`);
    expect(await read()).toMatch(/^waybill_last_sweep_age_seconds (\+Inf|[0-9.e-]+)$/m);
  });

  it('shows how many triggers fail', async () => {
    const failing = async () => samplesIn(await read()).get('waybill_failing_triggers');
    expect(await failing()).toBe(0);
    const [invoices, robots] = [service.waybill.queue('invoices'), service.waybill.queue('robots')];
    const trigger = service.waybill.trigger('post-invoices');
    await robots.define();
    await robots.closeIntake({ reason: 'the robots rest' });
    await invoices.define();
    await invoices.enqueue({});
    await trigger.define({ queue: invoices.name, every: 1, task: { queue: robots.name } });
    await until('the trigger to fail', async () => ((await failing()) === 1 ? true : null));
    await trigger.disable();
    expect(await failing()).toBe(0);
  });

  it('shows the time of requests to this process by route, and figures of the process', async () => {
    for (const id of ['a', 'b']) await fetch(`${service.url}/v1/queues/nowhere-${id}`);
    for (const path of ['/made-up-1', '/made-up-2?x=y']) await fetch(service.url + path);
    const metrics = samplesIn(await read());
    const answers = (route: string): number | undefined =>
      metrics.get(`waybill_request_seconds_count{method="GET",route="${route}",status="404"}`);
    expect([answers('/v1/queues/:queue'), answers('none')]).toEqual([2, 2]);
    expect([...metrics.keys()].filter((series) => series.includes('made-up'))).toEqual([]);
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });

  it('counts requests whose client left: streams, and those that wait too long', async () => {
    const stream = get(`${service.url}/v1/events/stream`);
    await once(stream, 'response');
    const headers = { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' };
    const claim = request(`${service.url}/v1/queues/mail/claims`, { method: 'POST', headers });
    claim.flushHeaders();
    await once(claim, 'continue');
    for (const left of [stream, claim]) left.on('error', () => {}).destroy();
    for (const labels of [
      'method="GET",route="/v1/events/stream",status="200"',
      'method="POST",route="/v1/queues/:queue/claims",status="499"',
    ])
      await seen(`waybill_request_seconds_count{${labels}}`, 1);
  });

  it("is in Prometheus's text format", async () => {
    const { status, headers } = await fetch(`${service.url}/metrics`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  });

  it('is described metric by metric in the manual, and the alert rules use no others', async () => {
    const families = familiesIn(await read()).sort();
    expect(families.length).toBeGreaterThan(10);
    const manual = readFileSync(join(ROOT, 'docs/reference/metrics.md'), 'utf8');
    expect([...manual.matchAll(/^\| `(waybill_\w+)`/gm)].map(([, name]) => name).sort()).toEqual(families);
    const rules = readFileSync(join(ROOT, 'examples/monitoring/alerts.yml'), 'utf8');
    const asked = [...rules.matchAll(/waybill_\w+/g)].map(([name]) => name.replace(/_count$/, ''));
    expect(asked.length).toBeGreaterThan(8);
    // Exists only if the store's positions count events.
    expect(asked).not.toContain('waybill_projection_lag_events');
    expect(asked.filter((name) => !families.includes(name))).toEqual([]);
  });
});
