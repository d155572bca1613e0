import { uuidv7 } from 'uuidv7';
import { openDispatch } from '../../support/dispatch-fixture.js';
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

  /** The floor that a pick was given, which then found tasks from `front` on. */
  async function pick(front: string | null, queue = 'q'): Promise<SeekFloor | null> {
    let given: SeekFloor | null = null;
    await floors.during(queue, async (floor) => {
      given = floor;
      return { front: front === null ? null : at(front) };
    });
    return given;
  }

  it('begin at the place of the last pick', async () => {
    expect(await pick('7')).toBeNull();
    expect(await pick('9')).toMatchObject(at('7'));
    expect(await pick(null)).toMatchObject(at('9'));
    expect(await pick('10')).toMatchObject(at('9'));
    expect(await pick('1', 'other')).toBeNull();
  });

  it('look from the front once a second, however often they are used', async () => {
    await pick('7');
    now += 999;
    expect(await pick('8')).toMatchObject(at('7'));
    now += 1;
    expect(await pick('9')).toBeNull();
    expect(await pick('10')).toMatchObject(at('9'));
  });

  it('know nothing after a rollback', async () => {
    await pick('7');
    expect(await floors.during('q', () => Promise.resolve(null))).toBeNull();
    expect(await pick('8')).toBeNull();
    await expect(floors.during('q', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await pick('9')).toBeNull();
  });
});

it('a claim finds what another process took and gave back, within a second', async () => {
  const dispatch = await openDispatch();
  const queue = `q-${uuidv7()}`;
  const take = async (max: number): Promise<string[]> =>
    (await dispatch.claim(queue, { max })).map(({ taskId }) => taskId);
  await dispatch.define(queue);
  const [first, second, third] = await dispatch.enqueue(queue, [{}, {}, {}]);
  const other = await dispatch.pool.connect();
  await other.query('begin');
  await other.query(`select * from waybill_pick($1, 1, '{}', null, null)`, [queue]);
  expect(await take(1)).toEqual([second]);
  await other.query('rollback');
  other.release();
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
  expect(await take(2)).toEqual([first, third]);
  jest.restoreAllMocks();
  await dispatch.close();
});
