import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rebuildFromLog, type RebuildMode } from '../../../src/maintenance/rebuild-from-log.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import { configFor, type RunningService, startService } from '../../support/running-service.js';

const MODELS = ['queue-stats', 'queue-history', 'worker-roster'];

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

  async function rebuild(mode: RebuildMode, ...names: readonly string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    const config = configFor(service.databaseUrl);
    const [log, onProgress] = [() => undefined, () => undefined];
    await rebuildFromLog({ config, names, mode, log, onProgress, onBuilt: (line) => lines.push(line) });
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

  it('differs from the one in use in nothing while nobody changes it', async () => {
    expect(await rebuild('diff', ...MODELS)).toEqual(
      MODELS.map((name) => expect.stringMatching(`^'${name}' differs from the log in 0 rows as of position \\d+$`)),
    );
    expect(await tables()).toEqual([]);
  });

  it('differs in exactly the rows that were changed by hand, which stay as they are', async () => {
    const succeeded = await succeededIn('one');
    await service.pool.query(`update queue_stats set succeeded = succeeded + 7 where queue = 'one'`);
    await service.pool.query(`delete from queue_stats where queue = 'two'`);
    await service.pool.query(
      `insert into queue_stats select s.* from queue_stats o, jsonb_populate_record(o, '{"queue":"nowhere"}') s where o.queue = 'one'`,
    );
    const before = await rowsOf('queue_stats');
    const [first, ...others] = await rebuild('diff', 'queue-stats');
    expect(first).toMatch(/^'queue-stats' differs from the log in 3 rows as of position \d+$/);
    expect(others).toEqual([
      '  queue_stats {"queue":"nowhere"}: should not be there',
      `  queue_stats {"queue":"one"}: succeeded ${succeeded + 7}, not ${succeeded}`,
      '  queue_stats {"queue":"two"}: is missing',
    ]);
    expect(await rowsOf('queue_stats')).toEqual(before);
    expect(await tables()).toEqual([]);
  });

  it('is switched to and back, and what is not in use catches up', async () => {
    const wrong = await succeededIn('one');
    await rebuild('switch', 'queue-stats');
    expect(await tables()).toEqual(['queue_stats__before']);
    const right = await succeededIn('one');
    expect(right).toBe(wrong - 7);
    await goOn(40);
    const [since] = await rebuild('diff', 'queue-stats');
    expect(since).toMatch(/in 0 rows/);
    const newer = await succeededIn('one');

    await rebuild('back', 'queue-stats');
    expect(await succeededIn('one')).toBe(newer + 7);
    expect(await tables()).toEqual(['queue_stats__before']);
    await goOn(10);
    await rebuild('back', 'queue-stats');
    const [again] = await rebuild('diff', 'queue-stats');
    expect(again).toMatch(/in 0 rows/);
  });

  it('refuses to go back to what is not there, and modes that the index has not', async () => {
    await expect(rebuild('back', 'worker-roster')).rejects.toThrow(
      "Expected rows of 'worker-roster' from before a switch, but there are none",
    );
    await expect(rebuild('diff', 'index')).rejects.toThrow(
      "Expected names of read models with --diff, but got 'index'",
    );
  });
});
