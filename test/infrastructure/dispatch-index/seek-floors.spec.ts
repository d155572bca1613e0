import { uuidv7 } from 'uuidv7';
import type { PostgresConnection } from '../../../src/infrastructure/database/postgres-pool.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';
import { type SeekFloor, SeekFloors } from '../../../src/infrastructure/dispatch-index/seek-floors.js';

const at = (seq: string): SeekFloor => ({ priority: 3, seq });

describe('SeekFloors', () => {
  let now = 10_000;
  let floors: SeekFloors;
  beforeEach(() => {
    now = 10_000;
    floors = new SeekFloors();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Picks once, finding tasks from `front` on. Returns the floor that the pick got. */
  async function pick(front: string | null, queue = 'q'): Promise<SeekFloor | null> {
    let given: SeekFloor | null = null;
    await floors.during(queue, async (floor) => {
      given = floor;
      return { front: front === null ? null : at(front) };
    });
    return given;
  }

  it('begin where the last pick began', async () => {
    expect(await pick('7')).toBeNull();
    expect(await pick('9')).toMatchObject(at('7'));
    expect(await pick(null)).toMatchObject(at('9'));
    expect(await pick('10')).toMatchObject(at('9'));
    expect(await pick('1', 'other')).toBeNull();
  });

  it('begin at the front once a second, however often they are used', async () => {
    await pick('7');
    now += 999;
    expect(await pick('8')).toMatchObject(at('7'));
    now += 1;
    expect(await pick('9')).toBeNull();
    expect(await pick('10')).toMatchObject(at('9'));
  });

  it('are forgotten after a rollback', async () => {
    await pick('7');
    expect(await floors.during('q', () => Promise.resolve(null))).toBeNull();
    expect(await pick('8')).toBeNull();
    await expect(floors.during('q', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await pick('9')).toBeNull();
  });
});

describe('a claim', () => {
  const queue = `q-${uuidv7()}`;
  let dispatch: DispatchFixture;
  let other: PostgresConnection;
  let ids: string[];
  beforeEach(async () => {
    dispatch = await openDispatch();
    await dispatch.define(queue);
    ids = [];
    for (let n = 0; n < 3; n++) ids.push(...(await dispatch.enqueue(queue, [{}])));
    other = await dispatch.pool.connect();
    await other.query('begin');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dispatch.close();
  });

  const take = async (max: number): Promise<string[]> =>
    (await dispatch.claim(queue, { max })).map(({ taskId }) => taskId);

  it.each([
    ['another claim of the same queue', `select * from waybill_pick($1, 1, '{}', null, null, 1000, null, '{}')`],
    ['an append that has locked a task', 'select * from ready where queue = $1 order by from_seq limit 1 for update'],
  ])('waits for %s, and overtakes no task', async (_, locks) => {
    await other.query(locks, [queue]);
    const taken = take(2);
    await until('the claim to wait', async () => {
      const { rows } = await dispatch.pool.query('select from pg_locks where not granted');
      return rows.length > 0 ? true : null;
    });
    await other.query('rollback');
    other.release();
    expect(await taken).toEqual(ids.slice(0, 2));
  });

  it('sees the rest of an extent that an append has changed', async () => {
    await other.query(
      'select waybill_leave_lane(queue, priority, from_seq) from ready where queue = $1 order by from_seq limit 1',
      [queue],
    );
    const taken = take(2);
    await until('the claim to wait', async () => {
      const { rows } = await dispatch.pool.query('select from pg_locks where not granted');
      return rows.length > 0 ? true : null;
    });
    await other.query('commit');
    other.release();
    expect(await taken).toEqual(ids.slice(1));
  });
});
