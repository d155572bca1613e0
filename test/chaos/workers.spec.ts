import type { Waybill } from '@waybill/client';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { violationsOf } from '../support/history-checker.js';
import { Log } from '../support/history/history.js';
import { scanned } from '../support/scanned.js';
import { until } from '../support/until.js';
import { Child } from './child.js';
import { Run } from './run.js';

const LEASE_MS = 1_000;
const TASKS = 5;

/** Workers in processes of their own that claim tasks and then disappear, forever or for a while. */
describe('a worker that holds tasks', () => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    await run.service().ready();
    waybill = run.client();
  });
  afterAll(() => run.close());

  async function holding(queue: string): Promise<Child> {
    await waybill.queue(queue).define();
    await waybill.queue(queue).enqueueMany(Array.from({ length: TASKS }, (_, n) => ({ payload: n })));
    const env = { SERVICE_URL: run.url, QUEUE: queue, WORKER: `away from ${queue}`, LEASE_MS: String(LEASE_MS) };
    const child = new Child('test/chaos/holding-worker.ts', env);
    run.include(child);
    expect(await child.told(/^holding/)).toBe(`holding ${TASKS}`);
    return child;
  }

  /** Completes the tasks that the other worker leaves, and no more. */
  async function workOff(queue: string): Promise<void> {
    const done = new Set<string>();
    const worker = waybill.worker({ name: `takes ${queue}`, logger: null }).handle(queue, ({ taskId }) => {
      done.add(taskId);
    });
    await worker.start();
    await until(`${TASKS} tasks of '${queue}' to come back`, async () => (done.size === TASKS ? true : null));
    await worker.stop();
  }

  function eventsOf(queue: string): Promise<RecordedEvent[]> {
    return scanned(run.store, { queue, categories: ['task'] });
  }

  /** The types of events by task. */
  const typesIn = (events: readonly RecordedEvent[]): string[][] =>
    [...new Log(events).tasks.values()].map((records) => records.map(({ event }) => event.type));

  const LOST = ['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired'];
  const AGAIN = ['TaskClaimed', 'TaskSucceeded'];
  const ONCE_LOST = [...LOST, ...AGAIN];
  const LATE = 'TaskLateReportRefused';

  it('and is killed with -9 loses them to another one after the lease, and each is completed once', async () => {
    const child = await holding('killed');
    child.signal('SIGKILL');
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await workOff('killed');
    expect(typesIn(await eventsOf('killed'))).toEqual(Array.from({ length: TASKS }, () => ONCE_LOST));
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });

  it('and is stopped past its lease is refused with LEASE_LOST when it continues, and changes nothing but to leave a record', async () => {
    const child = await holding('stopped');
    child.signal('SIGSTOP');
    await workOff('stopped');
    const before = await eventsOf('stopped');
    child.signal('SIGCONT');
    await child.told(/^told/, TASKS);
    expect(child.lines.filter((line) => line.startsWith('told'))).toEqual(
      Array.from({ length: TASKS }, () => 'told LEASE_LOST'),
    );
    expect(await child.ended).toEqual({ code: 0, signal: null });
    const after = await eventsOf('stopped');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(typesIn(after)).toEqual(Array.from({ length: TASKS }, () => [...ONCE_LOST, LATE]));
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });

  it('and is stopped past its lease is refused with LEASE_LOST even if nobody else has them yet', async () => {
    const child = await holding('idle');
    child.signal('SIGSTOP');
    await until('the leases to expire', async () =>
      (await eventsOf('idle')).filter(({ event }) => event.type === 'TaskLeaseExpired').length === TASKS ? true : null,
    );
    child.signal('SIGCONT');
    expect(await child.told(/^told/, TASKS)).toBe('told LEASE_LOST');
    await child.ended;
    await workOff('idle');
    expect(typesIn(await eventsOf('idle'))).toEqual(Array.from({ length: TASKS }, () => [...LOST, LATE, ...AGAIN]));
  });
});
