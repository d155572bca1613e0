import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const SOON = '2099-01-01T00:00:00.000Z';

/** Nobody sweeps here. */
describe.each([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
] as const)('a task whose time to live is over, with events in %s', (_, open) => {
  let dispatch: DispatchFixture;
  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());

  const pass = (id: string) =>
    dispatch.pool.query(`update ready set expires_at = clock_timestamp() where task_id = $1`, [id]);

  it('is given to no worker, and keeps no other from its turn', async () => {
    await dispatch.define('mail');
    const [first, second, third] = await dispatch.enqueue('mail', [
      { expiresAt: SOON, priority: 2 },
      { expiresAt: SOON, priority: 1 },
      {},
    ]);
    await pass(first!);
    const claimed = await dispatch.claim('mail', { max: 3 });
    expect(claimed.map(({ taskId }) => taskId)).toEqual([second, third]);
  });

  it('is not given out by its step either', async () => {
    await dispatch.define('steps', { steps: ['cut', 'glue'] });
    const [first, second] = await dispatch.enqueue('steps', [{ expiresAt: SOON }, { expiresAt: SOON }]);
    await pass(first!);
    const claimed = await dispatch.claim('steps', { max: 2, steps: ['cut'] });
    expect(claimed.map(({ taskId }) => taskId)).toEqual([second]);
  });
});
