import { uuidv7 } from 'uuidv7';
import { type HoldCommand, holdDecider } from '../../../src/domain/hold/hold.decider.js';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { CONTEXT, type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

const WAITING = 3_000;
/** As many as an operator has: left alone, Postgres would read all of them for each label of a task. */
const HOLDS = 100;
const LABELS = { collection: 'letters', profile: 'scan' };

interface Read {
  readonly tasks: number;
  readonly holds: number;
  readonly caught: number;
}

const CAUGHT = `select from waybill_caught(
  array(select ctid from ready where queue = $1 order by priority desc, from_seq limit $2::int), $2::int)`;

/** The rows of a table that the connection has read lately: by each index, and without one. */
const readOf = (table: string): string => `(select pg_stat_get_xact_tuples_returned('${table}'::regclass)
  + sum(pg_stat_get_xact_tuples_fetched(indexrelid)) from pg_index where indrelid = '${table}'::regclass)::int`;

const READ = `select ${readOf('tasks')} as tasks, ${readOf('holds')} as holds`;

async function place({ runner }: DispatchFixture, hold: string, labels: Record<string, string>): Promise<void> {
  const given = { hold, now: '2026-11-24T00:00:00.000Z', by: 'ann', reason: null, mayErase: true };
  const command: HoldCommand = { type: 'PlaceHold', selector: { labels }, ...given };
  await runner.run(holdDecider, { stream: holdStream(hold), command, load: 'whole' }, CONTEXT);
}

/** A claim's cost must depend on the tasks that it is about to give out, not on all that wait, nor on all holds. */
describe('the look for holds', () => {
  let dispatch: DispatchFixture;
  const queue = `q-${uuidv7()}`;

  beforeAll(async () => {
    dispatch = await openDispatch();
    await dispatch.define(queue);
    for (let left = WAITING; left > 0; left -= 500)
      await dispatch.enqueue(
        queue,
        Array.from({ length: 500 }, () => ({ labels: LABELS })),
      );
    await dispatch.pool.query(
      `insert into holds (name, revision, position, state, labels, label, value, placed_by, placed_at)
       select 'hold-' || n, 0, 0, 'placed', jsonb_build_object('collection', 'collection-' || n), 'collection', 'collection-' || n, 'ann', now()
       from generate_series(1, $1::int) n`,
      [HOLDS],
    );
    // Autovacuum does so at a time of its own, and the plan follows from what it finds.
    await dispatch.pool.query('analyze ready, tasks, holds');
  });
  afterAll(() => dispatch.close());

  /** The rows that the look at the first `max` tasks of the lane reads. */
  async function rowsRead(max: number): Promise<Read> {
    const connection = await dispatch.pool.connect();
    // Within a transaction, because counts are reset where one ends.
    await connection.query('begin');
    // As the functions do that claims call (`pick.sql`, `reserve-claims.sql`).
    await connection.query('set local enable_seqscan = off');
    const { rows: before } = await connection.query(READ);
    const { rows: caught } = await connection.query(CAUGHT, [queue, max]);
    const { rows: after } = await connection.query(READ);
    await connection.query('commit');
    connection.release();
    const read = (table: 'tasks' | 'holds'): number => after[0][table] - before[0][table];
    return { tasks: read('tasks'), holds: read('holds'), caught: caught.length };
  }

  it.each([1, 100])('reads %i tasks for as many places, and none of the holds that match nothing', async (max) => {
    expect(await rowsRead(max)).toEqual({ tasks: max, holds: 0, caught: 0 });
  });

  it('reads each matching hold once for a task', async () => {
    await place(dispatch, 'letters', { collection: 'letters' });
    expect(await rowsRead(10)).toMatchObject({ tasks: 10, caught: 10 });
  });
});

/** More than a claim names at once of what is in front. */
const IN_FRONT = 1_100;

describe('a hold', () => {
  let dispatch: DispatchFixture;

  beforeAll(async () => {
    dispatch = await openDispatch();
  });
  afterAll(() => dispatch.close());

  it('catches a task far behind those that a limit keeps, so that others are given out', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { perLabel: { label: 'customer', maxRunning: 1 } });
    const acme = { labels: { customer: 'acme' } };
    for (let left = IN_FRONT; left > 0; left -= 100) await dispatch.enqueue(queue, Array<object>(100).fill(acme));
    expect(await dispatch.claim(queue)).toHaveLength(1);
    const [caught, free] = await dispatch.enqueue(queue, [
      { labels: { customer: 'bolt', box: 'red' } },
      { labels: { customer: 'cast' } },
    ]);
    await place(dispatch, `red-${queue}`, { box: 'red' });
    expect((await dispatch.claim(queue)).map(({ taskId }) => taskId)).toEqual([free]);
    const { rows } = await dispatch.pool.query('select state from tasks where task_id = $1', [caught]);
    expect(rows).toEqual([{ state: 'held' }]);
  });
});
