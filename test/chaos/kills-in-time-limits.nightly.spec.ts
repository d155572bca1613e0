import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventView, type Handler, type NewTask, steps, type Waybill, type Worker } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { violationsOf } from '../support/history-checker.js';
import { type Crash, lastWords } from './crash-points.js';
import { PATIENT } from './load.js';
import { Run } from './run.js';

const RETRY = { retry: PATIENT };
const EACH = 10;

/** Nobody claims from it, so that its tasks expire. */
const UNSERVED = 'unserved';
const SLOW = 'slow';
const STEPPED = 'stepped';

/** Longer than the longest runs, so that these end first. */
const LEASE_MS = 60_000;
const MAX_RUN_MS = 1_500;
const TTL_MS = 3_000;
const DEADLINE_MS = 300;

/** While the service is away, also a run that would be short takes too long. */
const POLICY = {
  onFailure: 'retry' as const,
  maxLost: 1_000,
  retry: { maxAttempts: null, backoff: { kind: 'fixed' as const, baseMs: 20, capMs: 400, jitter: 'none' as const } },
};

describe('kill -9 of the service while the times of tasks pass', () => {
  let run: Run;
  let worker: Worker;
  beforeAll(async () => {
    run = await Run.open();
  });
  afterAll(async () => {
    await worker.stop();
    await run.close();
  });

  const killed = async (crash: Crash, act: () => unknown = () => undefined): Promise<void> => {
    const service = run.service({ crash });
    act();
    expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(service.lines).toContain(lastWords(crash));
  };

  const life = (waybill: Waybill, id: string): Promise<EventView[]> => waybill.task(id).history(RETRY);

  it('ends each run and each wait once and not before its time, and tells of each deadline once', async () => {
    const waybill = run.client();
    worker = await startWorker(waybill);
    const acts: Promise<unknown>[] = [];
    const { unserved, slow, stepped, quick, tasks } = someTasks();
    const begin = (): void => void acts.push(define(waybill).then(() => waybill.enqueueMany(tasks, RETRY)));

    await killed({ point: 'before-limits', passage: 1 }, begin);
    // Of those who wait, the deadlines come first, and then the ends of their times to live.
    await killed({ point: 'after-limits', passage: 1 });
    await killed({ point: 'after-limits', passage: 1 });
    await run.service().ready();
    await Promise.all(acts);
    await run.settled(300_000);
    await worker.stop();
    await run.caughtUp();

    expect(violationsOf(await run.history())).toEqual([]);
    for (const id of unserved) {
      const events = await life(waybill, id);
      expect(events.map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskDeadlineMissed', 'TaskFailed']);
      expect(events[2]!.data).toMatchObject({ error: { class: 'expired' } });
    }
    for (const id of [...slow, ...stepped]) {
      const { state, deadlineMissed } = await waybill.task(id).get(RETRY);
      expect({ state, deadlineMissed }).toEqual({ state: 'succeeded', deadlineMissed: true });
      const failures = (await life(waybill, id)).filter(({ type }) => type === 'TaskAttemptFailed');
      const classes = failures.map(({ data }) => (data as { error: { class: string } }).error.class);
      expect(new Set(classes)).toEqual(new Set(['timeout']));
    }
    for (const id of quick) expect((await waybill.task(id).get(RETRY)).deadlineMissed).toBe(false);
  }, 600_000);
});

/** Hangs in its first attempt, until it is told to stop. */
const hang = (attempt: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (attempt > 1) return resolve();
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const handler: Handler<{ readonly hangs: boolean }> = async ({ attempt, payload }, { signal }) => {
  if (payload.hangs) await hang(attempt, signal);
};

async function startWorker(waybill: Waybill): Promise<Worker> {
  const worker = waybill.worker({ name: 'w1', concurrency: 4 * EACH, leaseMs: LEASE_MS, logger: null });
  const store: Handler = ({ attempt }, { signal }) => hang(attempt, signal);
  worker.handle(SLOW, handler).handle(STEPPED, steps({ load: () => undefined, store }));
  await worker.start();
  return worker;
}

async function define(waybill: Waybill): Promise<void> {
  await waybill.queue(UNSERVED).define(POLICY, RETRY);
  await waybill.queue(SLOW).define({ ...POLICY, maxRunMs: MAX_RUN_MS }, RETRY);
  const inSteps = { steps: ['load', { name: 'store', maxRunMs: MAX_RUN_MS }] };
  await waybill.queue(STEPPED).define({ ...POLICY, ...inSteps }, RETRY);
}

function someTasks() {
  const soon = new Date(Date.now() + DEADLINE_MS);
  const of = (queue: string, task: NewTask): (NewTask & { readonly id: string; readonly queue: string })[] =>
    Array.from({ length: EACH }, () => ({ id: uuidv7(), queue, ...task }));
  const groups = {
    unserved: of(UNSERVED, { ttlMs: TTL_MS, deadlineAt: soon }),
    slow: of(SLOW, { payload: { hangs: true }, deadlineAt: soon }),
    stepped: of(STEPPED, { deadlineAt: soon, ttlMs: 3_600_000 }),
    quick: of(SLOW, { payload: { hangs: false }, deadlineAt: new Date(Date.now() + 3_600_000) }),
  };
  const ids = (tasks: readonly { readonly id: string }[]): string[] => tasks.map(({ id }) => id);
  const { unserved, slow, stepped, quick } = groups;
  const named = { unserved: ids(unserved), slow: ids(slow), stepped: ids(stepped), quick: ids(quick) };
  return { ...named, tasks: Object.values(groups).flat() };
}
