import { uuidv7 } from 'uuidv7';
import { PostgresTaskProgress } from '../../../src/infrastructure/ports/postgres-task-progress.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';

describe('PostgresTaskProgress', () => {
  let dispatch: DispatchFixture;
  let progress: PostgresTaskProgress;
  const queue = `q-${uuidv7()}`;

  beforeAll(async () => {
    dispatch = await openDispatch();
    progress = new PostgresTaskProgress(dispatch.pool);
    await dispatch.define(queue);
  });
  afterAll(() => dispatch.close());

  async function running() {
    await dispatch.enqueue(queue, [{}]);
    const [claimedTask] = await dispatch.claim(queue);
    return { claimedTask: claimedTask!, taskId: claimedTask!.taskId, token: claimedTask!.token.split('.')[0]! };
  }

  const bars = (position: number) => [{ title: 'links', start: 0, end: 9, position }];

  async function kept(taskId: string): Promise<unknown> {
    const { rows } = await dispatch.pool.query('select attempt, bars from task_progress where task_id = $1', [taskId]);
    return rows[0];
  }

  it('keeps the last report of each task, also if one request has two', async () => {
    const [one, other] = [await running(), await running()];
    await progress.record([
      { ...one, bars: bars(1) },
      { ...other, bars: bars(5) },
      { ...one, bars: bars(2) },
    ]);
    expect([await kept(one.taskId), await kept(other.taskId)]).toEqual([
      { attempt: 1, bars: bars(2) },
      { attempt: 1, bars: bars(5) },
    ]);
  });

  it('ignores a report under a token that is over, or never was', async () => {
    const { claimedTask, taskId, token } = await running();
    await progress.record([{ taskId, token, bars: bars(3) }]);
    await progress.record([{ taskId, token: String(Number(token) + 1_000), bars: bars(4) }]);
    await dispatch.settle([claimedTask]);
    await progress.record([{ taskId, token, bars: bars(5) }]);
    expect(await kept(taskId)).toEqual({ attempt: 1, bars: bars(3) });
  });
});
