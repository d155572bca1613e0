import type { Clock, Handler, Item, NewTask, Waybill, Worker, WorkerOptions } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { systemClock } from '../../packages/client/src/clock.js';
import { until } from '../support/until.js';

export const PLAIN = 'plain';
export const KEYED = 'keyed';
/** At most four of its tasks run, and at most three on one server. */
export const LIMITED = 'limited';

/** Makes one task of many submissions. */
export const GATHERING = 'gathering';

/** Its tasks need what workers offer, and their handlers wait for a signal. */
export const NEEDY = 'needy';

/** For what triggers make. */
export const FIRED = 'fired';

/** Few keys, so that new tasks often find one that waits or runs, and successes find failures of their key. */
const KEYS = 7;
const BATCH = 10;

/** Patient enough that the client hides every outage of the service. */
export const PATIENT = { attempts: Infinity, deadlineMs: 240_000, baseMs: 400, capMs: 4_000 };

/**
 * The system's clock with a tenth of the usual pauses, because the tests concern what follows an outage and not how
 * long it takes.
 */
export const impatient: Clock = { ...systemClock, random: () => 0.1 };

interface Payload {
  /** The handler throws up to this attempt. */
  readonly failures: number;
  /** The handler waits for a moment without a worker. */
  readonly sleeps?: true;
  /** The handler waits for this signal. */
  readonly signal?: string;
}

/** Retries without jitter, so that the checker can repeat the decisions. Lost leases never fail a task. */
export async function defineQueues(waybill: Waybill): Promise<void> {
  const policy = {
    onFailure: 'retry' as const,
    maxLost: 1_000,
    retry: { maxAttempts: 3, backoff: { kind: 'fixed' as const, baseMs: 20, capMs: 400, jitter: 'none' as const } },
  };
  for (const name of [PLAIN, KEYED, FIRED]) await waybill.queue(name).define(policy, { retry: PATIENT });
  const limits = {
    maxRunning: 4,
    concurrency: { perServer: 3 },
    rate: { starts: 200, perMs: 1_000, burst: 20 },
    perLabel: { label: 'part', maxRunning: 2, rate: { starts: 100, perMs: 1_000, burst: 10 } },
  };
  await waybill.queue(LIMITED).define({ ...policy, ...limits }, { retry: PATIENT });
  const gathering = {
    duplicatePending: 'gather' as const,
    gather: { quietMs: 5, maxMs: 40, payloads: 'all' as const },
  };
  await waybill.queue(GATHERING).define({ ...policy, ...gathering }, { retry: PATIENT });
  await waybill.queue(NEEDY).define({ ...policy, needs: {} }, { retry: PATIENT });
}

/** Enqueues tasks in batches, one after the other, each until it is acknowledged. */
export async function enqueue(waybill: Waybill, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => plain(from + at));
    const others = [keyed(from / BATCH), gathered(), gathered()];
    const waits = needy();
    await accepted(waybill.enqueueMany([...batch, ...others, waits], { retry: PATIENT }));
    const once = { idempotencyKey: `signal of ${waits.id}`, retry: PATIENT };
    await waybill.task(waits.id!).signal(SIGNAL, { for: waits.id! }, once);
  }
}

type Outcomes = Awaited<ReturnType<Waybill['enqueueMany']>>;

/** Rejects if one of the tasks was refused. */
export async function accepted(enqueued: Promise<Outcomes>): Promise<Outcomes> {
  const outcomes = await enqueued;
  const refused = outcomes.find((outcome) => 'problem' in outcome);
  if (refused) throw new Error(`Expected every task to be taken, but: ${JSON.stringify(refused)}`);
  return outcomes;
}

/** Tasks of every queue, some of them of a higher priority. */
export const mixed = (from: number, count: number): (NewTask & { queue: string })[] =>
  Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return { ...(n % 5 === 0 ? keyed(n) : { ...plain(n), queue: n % 7 === 0 ? LIMITED : PLAIN }), priority: n % 3 };
  });

const plain = (n: number): NewTask & { queue: string } => ({
  id: uuidv7(),
  queue: PLAIN,
  labels: { part: `p${n % 2}` },
  payload: {
    failures: n % 50 === 7 ? 9 : n % 10 === 3 ? 1 : 0,
    ...(n % 10 === 6 && { sleeps: true }),
  } satisfies Payload,
});

const keyed = (n: number): NewTask & { queue: string } => ({
  id: uuidv7(),
  queue: KEYED,
  key: `key-${n % KEYS}`,
  payload: { failures: n % 4 === 2 ? 9 : 0 } satisfies Payload,
});

const SIGNAL = 'go';
const OFFERS = { gpu: true };

const needy = (): NewTask & { queue: string } => ({
  id: uuidv7(),
  queue: NEEDY,
  needs: OFFERS,
  payload: { failures: 0, signal: SIGNAL } satisfies Payload,
});

/** Names itself, so that the checker can tell in which task it is. */
function gathered(): NewTask & { queue: string } {
  const id = uuidv7();
  return { id, queue: GATHERING, key: 'key', payload: { submission: id } };
}

const handler: Handler<Partial<Payload> | null> = async ({ attempt, payload }, run) => {
  if (attempt <= (payload?.failures ?? 0)) throw new Error('broken on purpose');
  if (payload?.sleeps) await run.sleep(5);
  if (payload?.signal) return run.waitFor(payload.signal, { timeout: '1h' });
  return { attempt };
};

/** Of a job, settles each item as its own handler would. */
const settleItems: Handler<Partial<Payload> | null> = async (task, run) => {
  for (const item of run.items as readonly Item<Payload>[]) {
    const isBroken = item.task.attempt <= item.payload.failures;
    await item.settle(isBroken ? run.fail('transient', 'broken on purpose') : { attempt: item.task.attempt });
  }
  return handler(task, run);
};

export async function startWorker(waybill: Waybill, options: WorkerOptions): Promise<Worker> {
  const worker = waybill.worker({ concurrency: 10, logger: null, offers: OFFERS, ...options });
  worker
    .handle(PLAIN, handler)
    .handle(KEYED, handler)
    .handle(LIMITED, handler)
    .handle(GATHERING, handler)
    .handle(NEEDY, handler)
    .handle(FIRED, settleItems);
  await worker.start();
  return worker;
}

/**
 * Claims tasks and abandons them, so that their leases expire however soon a service is back. Resolves with their
 * number.
 */
export async function abandon(waybill: Waybill, leaseMs: number): Promise<number> {
  const claimant = { worker: 'abandons', server: 'gone', max: 5, leaseMs };
  return until('tasks to abandon', async () => {
    const { length } = await waybill.queue(PLAIN).claim({ ...claimant, waitMs: 1_000 }, { retry: PATIENT });
    return length || null;
  });
}
