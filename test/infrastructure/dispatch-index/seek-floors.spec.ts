import type { PickRow } from '../../../src/infrastructure/dispatch-index/picked-tasks.js';
import { uuidv7 } from 'uuidv7';
import { openDispatch } from '../../support/dispatch-fixture.js';
import { SeekFloors } from '../../../src/infrastructure/dispatch-index/seek-floors.js';

const row = (seq: string): PickRow => ({ priority: 3, seq }) as PickRow;

describe('SeekFloors', () => {
  let now = 10_000;
  beforeEach(() => {
    now = 10_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('begin where the last pick began', () => {
    const floors = new SeekFloors();
    floors.picked('q', null, [row('7'), row('8')]);
    expect(floors.of('q')).toMatchObject({ priority: 3, seq: '7' });
    floors.picked('q', floors.of('q'), [row('9')]);
    expect(floors.of('q')).toMatchObject({ seq: '9' });
    floors.picked('q', floors.of('q'), []);
    expect(floors.of('q')).toMatchObject({ seq: '9' });
    expect(floors.of('other')).toBeNull();
  });

  it('look from the front once a second, however often they are used', () => {
    const floors = new SeekFloors();
    floors.picked('q', null, [row('7')]);
    now += 999;
    floors.picked('q', floors.of('q'), [row('8')]);
    now += 1;
    expect(floors.of('q')).toBeNull();
    floors.picked('q', null, [row('9')]);
    expect(floors.of('q')).toMatchObject({ seq: '9' });
  });

  it('know nothing after a rollback', () => {
    const floors = new SeekFloors();
    floors.picked('q', null, [row('7')]);
    floors.forget('q');
    expect(floors.of('q')).toBeNull();
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
