import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { LogLine } from '../../../src/domain/kernel/log-line.js';
import { PostgresTaskLog } from '../../../src/infrastructure/ports/postgres-task-log.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';

describe('PostgresTaskLog', () => {
  let dispatch: DispatchFixture;
  let log: PostgresTaskLog;
  const wakeUps = new LocalWakeUps();
  const queue = `q-${uuidv7()}`;

  beforeAll(async () => {
    dispatch = await openDispatch();
    log = new PostgresTaskLog(dispatch.pool, wakeUps);
    await dispatch.define(queue);
  });
  afterAll(() => dispatch.close());

  async function running() {
    await dispatch.enqueue(queue, [{}]);
    const [claimedTask] = await dispatch.claim(queue);
    return { claimedTask: claimedTask!, taskId: claimedTask!.taskId, token: claimedTask!.token.split('.')[0]! };
  }

  const lines = (from: number, to: number): LogLine[] =>
    Array.from({ length: to - from + 1 }, (_, at) => ({
      number: from + at,
      at: '2026-11-28T14:00:00.000Z',
      level: 'info',
      text: `line ${from + at}`,
    }));

  async function kept(taskId: string): Promise<readonly [attempt: number, number: number][]> {
    const { rows } = await dispatch.pool.query<{ attempt: number; number: number }>(
      'select attempt, number from task_log where task_id = $1 order by attempt, number',
      [taskId],
    );
    return rows.map(({ attempt, number }) => [attempt, number]);
  }

  it('keeps a line once that is sent twice, also within one request, and tells who waits', async () => {
    const { taskId, token } = await running();
    const told: string[] = [];
    const stop = wakeUps.onTaskSaid((task) => void told.push(task));
    await log.append([{ taskId, token, lines: lines(1, 2) }]);
    await log.append([
      { taskId, token, lines: lines(2, 3) },
      { taskId, token, lines: lines(3, 3) },
    ]);
    stop();
    expect(await kept(taskId)).toEqual([1, 2, 3].map((number) => [1, number]));
    expect(told).toEqual([taskId, taskId]);
  });

  it('ignores lines under a token that is over, or never was', async () => {
    const { claimedTask, taskId, token } = await running();
    await log.append([{ taskId, token: String(Number(token) + 1_000), lines: lines(1, 1) }]);
    await dispatch.settle([claimedTask]);
    await log.append([{ taskId, token, lines: lines(2, 2) }]);
    expect(await kept(taskId)).toEqual([]);
  });

  it('keeps the last 1,000 lines of a task, those of earlier attempts included, and all of another', async () => {
    const [one, other] = [await running(), await running()];
    await dispatch.pool.query(
      `insert into task_log (task_id, attempt, number, at, level, text) select $1, 0, n, now(), 'info', '' from generate_series(1, 600) n`,
      [one.taskId],
    );
    await log.append([
      { ...one, lines: lines(1, 500) },
      { ...other, lines: lines(1, 1) },
    ]);
    const left = await kept(one.taskId);
    expect([left.length, left[0], left.at(-1)]).toEqual([1_000, [0, 101], [1, 500]]);
    expect(await kept(other.taskId)).toEqual([[1, 1]]);
  });
});
