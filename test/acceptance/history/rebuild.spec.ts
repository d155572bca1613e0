import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import type { TaskDetails } from '@waybill/client';
import { differingRow } from '@waybill/client/words';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { checkIndex } from '../../../src/maintenance/check-index.js';
import { LOG_LOCK } from '../../../src/infrastructure/database/locks.js';
import { checkIndexFromLog } from '../../../src/maintenance/rebuild-from-log.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import { configFor, type RunningService, startService } from '../../support/running-service.js';
import { type Compared, type RebuildMode, rebuildOf } from '../../support/rebuilt.js';
import { until } from '../../support/until.js';

/** Its order is a task, so the queue of rebuilds changes with each. */
const isOfUser = (row: unknown): boolean => !(row as { row: { queue: string } }).row.queue.startsWith('waybill.');

const envOf = (databaseUrl: string): NodeJS.ProcessEnv => {
  const { eventStoreUrl, eventStorePrefix } = configFor(databaseUrl);
  const elsewhere = { EVENT_STORE_URL: eventStoreUrl, EVENT_STORE_PREFIX: eventStorePrefix };
  return { DATABASE_URL: databaseUrl, ...(eventStoreUrl !== undefined && elsewhere) };
};

async function waybillWith(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const out = stdout as unknown as NodeJS.WriteStream;
  const code = await main(args, { stdin: Readable.from([]), stdout: out, stderr, env, checkIndex });
  stdout.end();
  stderr.end();
  const [printed, told] = await said;
  return { code, out: printed, err: told };
}

const MODELS = ['queue-stats', 'queue-history', 'worker-roster', 'failure-groups', 'lineage'];

describe('a rebuilt read model', () => {
  let service: RunningService;
  let history: RandomHistory;
  beforeAll(async () => {
    service = await startService();
    history = new RandomHistory(service.waybill, randomFrom(11));
    await history.begin();
    await goOn(100);
  });
  afterAll(() => service.stop());

  async function goOn(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await history.step();
    const { position } = await service.waybill
      .queue('one')
      .resume()
      .catch(() => service.waybill.queue('one').pause());
    for (const model of MODELS) await service.caughtUp(model, position!);
  }

  const rebuilt = (name: string, mode: RebuildMode): Promise<TaskDetails> => rebuildOf(service.waybill, name, mode);
  const compare = async (name: string): Promise<Compared> => (await rebuilt(name, 'diff')).result as Compared;

  async function checkIndexLines(): Promise<readonly string[]> {
    const lines: string[] = [];
    const [log, onProgress] = [() => undefined, () => undefined];
    const config = configFor(service.databaseUrl);
    await checkIndexFromLog({ config, log, onProgress, onBuilt: (line) => lines.push(line) });
    return lines;
  }

  const succeededIn = async (queue: string): Promise<number> =>
    (await service.waybill.queue(queue).stats()).counts.succeeded ?? 0;
  const rowsOf = async (table: string): Promise<readonly unknown[]> =>
    (await service.pool.query(`select to_jsonb(t) as row from ${table} t order by 1`)).rows;
  const tables = async (): Promise<readonly string[]> => {
    const { rows } = await service.pool.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname ~ '__(shadow|before)$' order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('H-58 differs from the one in use in nothing while nobody changes it', async () => {
    for (const name of MODELS)
      expect(await rebuilt(name, 'diff')).toMatchObject({
        state: 'succeeded',
        result: { projection: name, mode: 'diff', position: expect.stringMatching(/^\d+$/), rows: 0, first: [] },
        progress: [{ title: 'of the log' }],
      });
    expect(await tables()).toEqual([]);
  });

  it('H-58 differs in exactly the rows that were changed by hand, which stay as they are', async () => {
    const succeeded = await succeededIn('one');
    await service.pool.query(`update queue_stats set succeeded = succeeded + 7 where queue = 'one'`);
    await service.pool.query(`delete from queue_stats where queue = 'two'`);
    await service.pool.query(
      `insert into queue_stats select s.* from queue_stats o, jsonb_populate_record(o, '{"queue":"nowhere"}') s where o.queue = 'one'`,
    );
    const before = await rowsOf('queue_stats');
    const { rows, first } = await compare('queue-stats');
    expect([rows, ...first.map(differingRow)]).toEqual([
      3,
      'queue_stats {"queue":"nowhere"}: should not be there',
      `queue_stats {"queue":"one"}: succeeded ${succeeded + 7}, not ${succeeded}`,
      'queue_stats {"queue":"two"}: is missing',
    ]);
    expect((await rowsOf('queue_stats')).filter(isOfUser)).toEqual(before.filter(isOfUser));
    expect(await tables()).toEqual([]);
  });

  it('H-58 is switched to and back, and what is not in use catches up', async () => {
    const wrong = await succeededIn('one');
    await rebuilt('queue-stats', 'switch');
    expect(await tables()).toEqual(['queue_stats__before']);
    const right = await succeededIn('one');
    expect(right).toBe(wrong - 7);
    await goOn(40);
    expect((await compare('queue-stats')).rows).toBe(0);
    const newer = await succeededIn('one');

    await rebuilt('queue-stats', 'back');
    expect(await succeededIn('one')).toBe(newer + 7);
    expect(await tables()).toEqual(['queue_stats__before']);
    await goOn(10);
    await rebuilt('queue-stats', 'back');
    expect((await compare('queue-stats')).rows).toBe(0);
  });

  it('H-58 finds nothing in the index while nobody changes it, and claims go on meanwhile', async () => {
    const working = goOn(20);
    const checked = checkIndexLines();
    await working;
    expect(await checked).toEqual(['The index differs from the log in 0 rows']);
  });

  it('H-58 finds nothing in the index after a batch whose plan failed', async () => {
    const { waybill } = service;
    const drafts = waybill.queue('drafts');
    await drafts.define({ onFailure: 'fail' });
    const batch = await waybill.createBatch({ name: 'letters', plan: { queue: 'drafts', payload: {} } });
    const [planner] = await drafts.claim({ worker: 'w' });
    const { taskId, token } = planner!;
    const error = { message: 'no addresses', class: 'business' } as const;
    await waybill.settle([{ taskId, token, verdict: { type: 'fail', error, final: true } }]);
    await until('the batch to fail', async () => ((await batch.get()).state === 'failed' ? true : null));
    expect(await checkIndexLines()).toEqual(['The index differs from the log in 0 rows']);
  });

  it('H-58 finds what was changed in the index by hand while claims go on, and leaves it', async () => {
    const { pool } = service;
    await service.waybill.queue('changed').define();
    const { id } = await service.waybill.queue('changed').enqueue(1);
    const lost = await service.waybill.queue('changed').enqueue(2);
    expect(await checkIndexLines()).toEqual(['The index differs from the log in 0 rows']);
    await pool.query(`update tasks set priority = 99 where task_id = $1`, [id]);
    await pool.query(`delete from tasks where task_id = $1`, [lost.id]);
    const [found] = await Promise.all([checkIndexLines(), goOn(10)]);
    expect(found[0]).toMatch(/^The index differs from the log in \d+ rows$/);
    expect(found).toContain(`  tasks {"task_id":"${id}"}: priority 99, not 0`);
    expect(found).toContain(`  tasks {"task_id":"${lost.id}"}: is missing`);
    const { rows } = await pool.query('select priority from tasks where task_id = $1', [id]);
    expect(rows).toEqual([{ priority: 99 }]);
  });

  it('H-58 finds a changed queue, and tasks that stand in the index where their rows do not put them', async () => {
    const { pool, waybill } = service;
    const queue = waybill.queue('stands');
    await queue.define({ duplicatePending: 'allow' });
    const [running, held, ready] = await Promise.all([1, 2, 3].map((payload) => queue.enqueue(payload)));
    await waybill.task(held!.id).hold();
    const [claimed] = await queue.claim({ worker: 'w', max: 1, leaseMs: 3_600_000 });
    const line = claimed!.taskId === running!.id ? ready! : running!;
    const damage = await pool.connect();
    // The sweeper mends such rows, but not while somebody writes.
    await damage.query(`select pg_advisory_lock(${LOG_LOCK})`);
    await damage.query(`delete from ready where queue = 'stands'`);
    await damage.query(`delete from waiting where task_id = $1`, [held!.id]);
    await damage.query(`delete from leases where queue = 'stands'`);
    await damage.query(`update queues set description = 'other' where name = 'stands'`);
    const found = await checkIndexLines();
    await damage.query(`select pg_advisory_unlock(${LOG_LOCK})`);
    damage.release();
    for (const [id, says] of [
      [line.id, 'is not in line although it waits for nothing'],
      [held!.id, 'is held but waits nowhere'],
      [claimed!.taskId, 'runs without a lease'],
    ])
      expect(found).toContain(`  index {"task_id":"${id}"}: ${says}`);
    expect(found).toContain(`  queues {"name":"stands"}: description "other", not ""`);
  });

  it('tells a script by its exit code', async () => {
    const run = (env: NodeJS.ProcessEnv) => waybillWith({ ...envOf(service.databaseUrl), ...env }, 'check', 'index');
    await service.pool.query(`update queues set description = 'other' where name = 'one'`);
    const differs = await run({});
    expect(differs).toMatchObject({ code: 1, err: expect.stringMatching(/but \d+ rows differ\.$/m) });
    expect(differs.out).toMatch(/^The index differs from the log in \d+ rows$/m);
    expect((await run({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).code).toBe(2);
  });

  it('fails for good if there is nothing to go back to', async () => {
    const { state, error, attempt } = await rebuilt('worker-roster', 'back');
    expect([state, error?.message, attempt]).toEqual([
      'failed',
      "Expected rows of 'worker-roster' from before a switch, but there are none",
      1,
    ]);
  });

  it('refuses what is no read model with one sentence, and orders nothing', async () => {
    const refusal = {
      code: 'INVALID_INPUT',
      status: 400,
      message: expect.stringContaining("'queue-stats', 'queue-history'"),
    };
    for (const name of ['index', 'nonsense'])
      await expect(service.waybill.rebuildProjection(name, 'switch')).rejects.toMatchObject(refusal);
  });
});
