import { uuidv7 } from 'uuidv7';
import { CostMeter } from '../../costs/cost-meter.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { fillLanes } from '../../support/waiting-lanes.js';

const MILLION = 1_000_000;

describe('a value with a million tasks', () => {
  let dispatch: DispatchFixture;
  let meter: CostMeter;

  beforeAll(async () => {
    dispatch = await openDispatch({ poolSize: 1 });
    meter = await CostMeter.of(dispatch.pool);
  });
  afterAll(async () => {
    await meter.close();
    await dispatch.close();
  });

  it('delays the single task of another one by one round, and a claim looks at as many pages as with ten tasks', async () => {
    const valuesOf = async (count: number, tasks: number) => {
      const queue = `q-${uuidv7()}`;
      const claim = async () => (await dispatch.claim(queue, { max: 1 })).map(({ labels }) => labels['tenant'])[0];
      await dispatch.define(queue, { fair: { label: 'tenant' } });
      await dispatch.enqueue(
        queue,
        Array.from({ length: count }, () => ({ labels: { tenant: 'big0' } })),
      );
      const values = [await claim()];
      await fillLanes(dispatch.pool, { queue, prefix: 'big', values: 1, tasks });
      await dispatch.enqueue(queue, [{ labels: { tenant: 'small' } }]);
      const pages: number[] = [];
      while (values.length < count) pages.push((await meter.costOf(async () => values.push(await claim()))).blocks);
      return { values, pages: Math.min(...pages) };
    };
    const few = await valuesOf(8, 10);
    const many = await valuesOf(8, MILLION);
    expect(many.values.slice(0, 3)).toContain('small');
    expect(many.values).toEqual(few.values);
    expect(many.pages).toBeLessThan(few.pages + 50);
  }, 300_000);
});
