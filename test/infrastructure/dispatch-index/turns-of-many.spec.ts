import { uuidv7 } from 'uuidv7';
import { CostMeter } from '../../costs/cost-meter.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { fillLanes } from '../../support/waiting-lanes.js';

const FEW = 500;
const MANY = 100_000;

const PICK = `select from waybill_pick($1, $2::int, '{}', null, null, 100000000, null, '{}')`;

describe('with 100,000 values that wait for their turns', () => {
  let dispatch: DispatchFixture;
  let meter: CostMeter;
  const queues = new Map<number, string>();

  beforeAll(async () => {
    dispatch = await openDispatch({ poolSize: 1 });
    meter = await CostMeter.of(dispatch.pool);
    for (const values of [FEW, MANY]) {
      const queue = `q-${uuidv7()}`;
      queues.set(values, queue);
      await dispatch.define(queue, { fair: { label: 'tenant', weights: { acme: 3 } } });
      // The first claim gives the queue its lanes.
      await dispatch.enqueue(queue, [{}]);
      await dispatch.claim(queue, { max: 1 });
      await fillLanes(dispatch.pool, { queue, prefix: 't', values, tasks: values });
    }
  });
  afterAll(async () => {
    await meter.close();
    await dispatch.close();
  });

  /** The pages that it looks at. The first calls of a connection read the catalogue, too. */
  async function pagesOf(work: () => Promise<unknown>): Promise<number> {
    const pages: number[] = [];
    while (pages.length < 4) pages.push((await meter.costOf(work)).blocks);
    return Math.min(...pages);
  }

  /** A pick that is taken back: those tasks are not in the log. */
  const pagesOfPick = (values: number, max: number) =>
    pagesOf(async () => {
      await dispatch.pool.query('begin');
      await dispatch.pool.query(PICK, [queues.get(values), max]);
      await dispatch.pool.query('rollback');
    });

  it.each([
    [1, 80],
    [100, 3_500],
  ])('a claim of %i looks at no more than with 500', async (max, most) => {
    const few = await pagesOfPick(FEW, max);
    const many = await pagesOfPick(MANY, max);
    expect(many).toBeLessThan(1.2 * few + 20);
    expect(many).toBeLessThan(most);
  });

  it('an append of 500 tasks looks at no more than with 500', async () => {
    const append = (values: number, from: number) =>
      pagesOf(() =>
        dispatch.enqueue(
          queues.get(values)!,
          Array.from({ length: 500 }, (_, n) => ({ labels: { tenant: `t${from + n}` } })),
        ),
      );
    const few = await append(FEW, 0);
    const many = await append(MANY, MANY / 2);
    expect(many).toBeLessThan(1.5 * few);
  });
});
