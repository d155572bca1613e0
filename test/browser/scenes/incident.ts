import type { Waybill } from '@waybill/client';
import { type Stage, succeed, work } from './stage.js';

/** An incident: one of fifty queues fails, by three causes, after a build and a new policy. */
export interface Incident {
  readonly queue: string;
  /** A task that failed with the most frequent cause. */
  readonly failed: string;
}

export const INCIDENT_MINUTES = 76;

const FAILED = { timeout: 68, declined: 36, bug: 18 } as const;

const ERRORS = [
  ...Array.from({ length: FAILED.timeout }, (_, n) => ({
    class: 'transient' as const,
    message: `ETIMEDOUT: connect 10.0.3.${n % 9}:5432 (db-3) after ${5_000 + n} ms`,
    details: { stack: 'Error: ETIMEDOUT\n    at connect (charges/db.ts:41:9)\n    at charge (charges/charge.ts:12:3)' },
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

const QUEUE = 'payments';
/** Tasks of a round before it goes wrong, and rounds. */
const [WELL, WELL_ROUNDS] = [30, 12];

/** Payments go well for an hour. Then ann shortens the leases, build 42 begins to work, and 122 of them fail. */
export async function incident({ as, pass }: Stage): Promise<Incident> {
  const [ann, shop] = [as('ann'), as('shop')];
  await ann.queue(QUEUE).define({ onFailure: 'fail' }, { description: 'Charges of the card provider' });
  for (let round = 0; round < WELL_ROUNDS; round++) {
    await enqueue(shop, round * WELL, WELL);
    await work(as('worker-1'), {
      queue: QUEUE,
      count: WELL,
      verdict: () => ({ type: 'succeed', result: { charged: true } }),
    });
    await pass(5);
  }
  const { policyVersion } = await ann.queue(QUEUE).get();
  const why = { ifVersion: policyVersion, reason: 'shorter leases for the new provider' };
  await ann.queue(QUEUE).changePolicy({ leaseMs: 60_000 }, why);
  const [failed] = await fails({ as, pass });
  return { queue: QUEUE, failed: failed! };
}

async function fails({ as, pass }: Stage): Promise<string[]> {
  const shop = as('shop');
  const ids: string[] = [];
  for (const [round, share] of SHARES.entries()) {
    await pass(4);
    const from = ids.length;
    await enqueue(shop, WELL * WELL_ROUNDS + from + round * STILL_WELL, share + STILL_WELL);
    const error = (n: number) => ERRORS[from + n]!;
    const verdict = (n: number) => ({ type: 'fail' as const, error: error(n) });
    ids.push(...(await work(as('worker-1'), { queue: QUEUE, count: share, build: '42', verdict })));
    await work(as('worker-1'), { queue: QUEUE, count: STILL_WELL, build: '42', verdict: succeed });
  }
  return ids;
}

/** How many of them fail every four minutes, and how many still succeed. */
const [SHARES, STILL_WELL] = [[20, 48, 36, 18], 6] as const;

/** Makes charges from the number on. */
async function enqueue(waybill: Waybill, from: number, count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_, n) => ({
    reference: `charge-${from + n}`,
    payload: { order: 70_000 + from + n, amount: { value: 10 + ((from + n) % 90), currency: 'EUR' } },
  }));
  await waybill.queue(QUEUE).enqueueMany(tasks);
}
