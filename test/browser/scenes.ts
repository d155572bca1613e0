import type { Waybill } from '@waybill/client';

/** An incident: one of fifty queues fails, by three causes, after a build and a new policy. */
export interface Incident {
  readonly queue: string;
  /** A task that failed with the most frequent cause. */
  readonly failed: string;
}

export const QUIET = 49;
const FAILED = { timeout: 68, declined: 36, bug: 18 } as const;

const ERRORS = [
  ...Array.from({ length: FAILED.timeout }, (_, n) => ({
    class: 'transient' as const,
    message: `ETIMEDOUT: connect 10.0.3.${n % 9}:5432 (db-3) after ${5_000 + n} ms`,
    details: { stack: 'Error: ETIMEDOUT\n    at connect (charges/db.ts:41:9)' },
  })),
  ...Array.from({ length: FAILED.declined }, (_, n) => ({
    class: 'application' as const,
    message: `card_declined: insufficient funds for order ${n}`,
    details: { stack: 'CardError: declined\n    at charge (charges/charge.ts:55:11)' },
  })),
  ...Array.from({ length: FAILED.bug }, () => ({
    class: 'bug' as const,
    message: "Cannot read properties of undefined (reading 'iban')",
    details: { stack: 'TypeError\n    at ibanOf (charges/sepa.ts:8:22)' },
  })),
];

/** What a quiet morning looks like: queues that did their work. */
export async function quietMorning(waybill: Waybill): Promise<void> {
  for (let n = 0; n < QUIET; n++) await waybill.queue(`quiet-${n}`).define();
  await waybill.queue('quiet-0').enqueueMany(Array.from({ length: 20 }, (_, n) => ({ reference: `letter-${n}` })));
  await settleAll(waybill, 'quiet-0', 20, () => ({ type: 'succeed' }));
}

export async function incident(waybill: Waybill): Promise<Incident> {
  const queue = 'payments';
  await waybill.queue(queue).define({ onFailure: 'fail' }, { description: 'Charges of the card provider' });
  const tasks = ERRORS.map((_, n) => ({
    reference: `charge-${n}`,
    payload: { order: n, amount: { value: 10 + n, currency: 'EUR' } },
  }));
  await waybill.queue(queue).enqueueMany(tasks);
  const ids = await settleAll(waybill, queue, ERRORS.length, (n) => ({ type: 'fail', error: ERRORS[n]! }));
  return { queue, failed: ids[0]! };
}

type Verdict = Parameters<Waybill['settle']>[0][number]['verdict'];

/** Claims and settles so many tasks, and returns their ids. */
async function settleAll(
  waybill: Waybill,
  queue: string,
  count: number,
  verdict: (n: number) => Verdict,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const tasks = await waybill
      .queue(queue)
      .claim({ worker: 'worker-1', server: 'node-a', build: '42', max: 100, waitMs: 30_000 });
    await waybill.settle(tasks.map(({ taskId, token }, n) => ({ taskId, token, verdict: verdict(ids.length + n) })));
    ids.push(...tasks.map(({ taskId }) => taskId));
  }
  return ids;
}
