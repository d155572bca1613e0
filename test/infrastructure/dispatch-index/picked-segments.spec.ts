import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';

const PICK = `select first, data from waybill_pick('mail', 100, '{}', null, null, 1000000, null, '{}') order by first`;

let dispatch: DispatchFixture;

beforeAll(async () => {
  dispatch = await openDispatch();
  await dispatch.define('mail');
});
afterAll(() => dispatch.close());

it('a pick of tasks with keys of their own has the data of their segment once', async () => {
  await dispatch.enqueue(
    'mail',
    Array.from({ length: 40 }, (_, n) => ({ key: `k${n}`, payload: { n } })),
  );
  const connection = await dispatch.pool.connect();
  try {
    await connection.query('begin');
    const { rows } = (await connection.query(PICK)) as { rows: { readonly data: string | null }[] };
    expect(rows).toHaveLength(1);
    expect(rows.flatMap(({ data }) => data?.split('\n').length ?? [])).toEqual([40]);
  } finally {
    await connection.query('rollback');
    connection.release();
  }
});

it('each of them is claimed with its own payload', async () => {
  const claimed = await dispatch.claim('mail', { max: 100 });
  expect(claimed.map(({ payload }) => payload)).toEqual(Array.from({ length: 40 }, (_, n) => ({ n })));
});

it('of those that follow one another, one whose event the log has lost is put aside, and the others are claimed', async () => {
  const [first, lost, ...others] = await dispatch.enqueue(
    'mail',
    Array.from({ length: 130 }, (_, n) => ({ key: `l${n}` })),
  );
  await dispatch.pool.query('delete from segments where $1 = any (streams)', [lost]);
  const claimed = await dispatch.claim('mail', { max: 200 });
  const { rows } = await dispatch.pool.query('select task_id from quarantined');
  expect(claimed.map(({ taskId }) => taskId)).not.toContain(first);
  expect(claimed.map(({ taskId }) => taskId)).toEqual(others.slice(-claimed.length));
  expect(claimed.length + rows.length).toBe(130);
});
