import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationOrders } from '../../../src/application/service-tasks/operation-orders.js';
import { ReplayTrigger, ReplayTriggerHandler } from '../../../src/application/triggers/replay-trigger.handler.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const MOST = 3;
const DEFINITION = { event: { types: ['TaskEnqueued'] }, description: '', task: { queue: 'told' } };
const CONTEXT = { actor: 'ann', correlationId: 'c' };

let db: PostgresFixture;
let positions: readonly bigint[];
beforeAll(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('items')]);
  await db.store.append(Array.from({ length: MOST + 2 }, () => enqueue('items')));
  const { events } = await db.store.scan({ after: 0n, upTo: await db.store.head() }, 100, { types: ['TaskEnqueued'] });
  positions = events.map(({ position }) => position);
});
afterAll(() => db.close());

/** Asks for the range of so many events. Resolves with how many were counted, and whether the replay was ordered. */
async function replayed(count: number, mode: { readonly isPreview: boolean; readonly isConfirmed: boolean }) {
  const stopped = new Error('ordered');
  const orders = { earlier: () => Promise.resolve(null), place: () => Promise.reject(stopped) };
  const handler = new ReplayTriggerHandler(orders as unknown as OperationOrders, db.store, MOST);
  const [after, upTo] = [String(positions[0]! - 1n), String(positions[count - 1]!)];
  const firing = { trigger: 't', after, upTo, isReplay: true } as const;
  try {
    const { count: counted, receipt } = await handler.execute(new ReplayTrigger(firing, DEFINITION, mode, CONTEXT));
    return { counted, isOrdered: receipt !== null };
  } catch (error) {
    if (error !== stopped) throw error;
    return { isOrdered: true };
  }
}

describe('a replay of more events than anybody counts', () => {
  const [ASKED, CONFIRMED, PREVIEW] = [
    { isPreview: false, isConfirmed: false },
    { isPreview: false, isConfirmed: true },
    { isPreview: true, isConfirmed: false },
  ];

  it('is not ordered before somebody confirms it', async () => {
    expect(await replayed(MOST + 1, ASKED)).toEqual({ counted: null, isOrdered: false });
    expect(await replayed(MOST + 1, CONFIRMED)).toEqual({ isOrdered: true });
    expect(await replayed(MOST, ASKED)).toEqual({ isOrdered: true });
  });

  it('is told as too many by a preview, which counts the others', async () => {
    expect(await replayed(MOST + 1, PREVIEW)).toEqual({ counted: null, isOrdered: false });
    expect(await replayed(MOST, PREVIEW)).toEqual({ counted: MOST, isOrdered: false });
  });
});
