import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { writesOf } from '../../support/writes-of.js';

let service: RunningService;
beforeAll(async () => {
  // A chain of thousands takes a busy machine longer than people wait.
  service = await startService({ readTimeoutMs: 120_000 });
  await service.waybill.queue('chains').define();
});
afterAll(() => service.stop());

type Links = { after?: { task: string }[]; batch?: string };

/** Tasks that each wait for the one before. */
async function chain(length: number, more: Links = {}): Promise<readonly string[]> {
  const ids = Array.from({ length }, () => uuidv7());
  for (let from = 0; from < length; from += 1_000) {
    const tasks = ids.slice(from, from + 1_000).map((id, at) => ({
      queue: 'chains',
      id,
      ...more,
      ...(from + at > 0 && { after: [{ task: ids[from + at - 1]! }] }),
    }));
    const results = await service.waybill.enqueueMany(tasks);
    expect(results.map((one) => ('id' in one ? one.id : one))).toEqual(tasks.map(({ id }) => id));
  }
  return ids;
}

/** How often Postgres looks at prerequisites to find out whether a new task of the batch may wait for this one. */
async function looksFor(task: string, batch: string): Promise<number> {
  const client = await service.pool.connect();
  try {
    await client.query('begin');
    const found = await client.query(
      `select pronamespace::regnamespace::text as name from pg_proc where proname = 'waybill_prerequisites_problem'`,
    );
    await client.query(`set local search_path = ${found.rows[0]!.name}, public`);
    const { rows } = await client.query('select waybill_prerequisites_problem($1, $2, false, $3) as problem', [
      uuidv7(),
      batch,
      JSON.stringify({ add: [{ task }], request: 'r' }),
    ]);
    expect(rows).toEqual([{ problem: null }]);
    const looks = await client.query(
      `select (idx_scan + seq_scan)::int as n from pg_stat_xact_user_tables where relname = 'prerequisites'`,
    );
    return looks.rows[0]!.n;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('a long chain', () => {
  it('of one request costs at most ten times as many statements as tasks behind one root', async () => {
    const [root] = await chain(1);
    const behind = await writesOf(() =>
      service.waybill.enqueueMany(Array.from({ length: 1_000 }, () => ({ queue: 'chains', after: [{ task: root! }] }))),
    );
    const chained = await writesOf(() => chain(1_000));
    expect(behind).toBeGreaterThan(0);
    expect(chained).toBeLessThanOrEqual(10 * behind);
  });

  it('shows its graph from any task of it, and as far as it is asked', async () => {
    const ids = await chain(2_400);
    const whole = await service.waybill.task(ids[1_200]!).graph();
    expect([whole.total, whole.truncated]).toEqual([2_400, true]);
    const near = await service.waybill.task(ids[1_200]!).graph({ depth: 2 });
    expect(new Set(near.nodes.map(({ id }) => id))).toEqual(new Set(ids.slice(1_198, 1_203)));
    expect(near.truncated).toBe(false);
  });

  it('of more than 5,000 tasks shows as many, and says that there are more', async () => {
    const ids = await chain(5_200);
    const graph = await service.waybill.task(ids[0]!).graph();
    expect([graph.total, graph.truncated]).toEqual([5_000, true]);
  });

  it('in a batch that something waits for is not walked again for each task', async () => {
    const batch = await service.waybill.planBatch({ name: 'b' }).create();
    await service.waybill.queue('chains').enqueue(null, { after: [{ batch: batch.id }] });
    const ids = await chain(400, { batch: batch.id });
    // A walk over the whole chain would look 400 times.
    expect(await looksFor(ids.at(-1)!, batch.id)).toBeLessThan(20);
  });

  it('cannot be closed to a cycle, also through its batch', async () => {
    const ids = await chain(50);
    const refusal = await service.waybill
      .task(ids[0]!)
      .arrange({ add: [{ task: ids.at(-1)! }] })
      .catch((error: { code: string }) => error.code);
    expect(refusal).toBe('PREREQUISITE_CYCLE');
    const batch = await service.waybill.planBatch({ name: 'b' }).create();
    const { id: outside } = await service.waybill.queue('chains').enqueue(null, { after: [{ batch: batch.id }] });
    const [first] = await chain(2, { batch: batch.id });
    const late = { queue: 'chains', batch: batch.id, after: [{ task: first! }, { task: outside }] };
    const results = await service.waybill.enqueueMany([late]);
    expect(results).toMatchObject([{ problem: { code: 'PREREQUISITE_CYCLE' } }]);
  });
});
