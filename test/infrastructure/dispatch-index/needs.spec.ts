import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import type { WorkerLabels } from '../../../src/domain/kernel/worker-labels.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

const GPU = { gpu: true };
const PARIS = { site: 'paris' };

const needing = (needs: WorkerLabels) => ({ needs });
const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('needs of tasks %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;

  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { needs: {} });
  });

  const idsOf = (tasks: readonly ClaimedTask[]) => tasks.map(({ taskId }) => taskId);
  const claim = async (offers?: WorkerLabels, max = 10) =>
    idsOf(await dispatch.claim(queue, { max, ...(offers && { offers }) }));

  it('are met by a worker that offers each with the same value, in the order of the line', async () => {
    const [gpu, both, plain, rome, four] = await dispatch.enqueue(queue, [
      needing(GPU),
      needing({ ...PARIS, ...GPU }),
      {},
      needing({ site: 'rome' }),
      needing({ cores: 4 }),
    ]);
    expect(await claim()).toEqual([plain]);
    expect(await claim({ gpu: 'true', site: 'Paris', cores: 40, c: 4 })).toEqual([]);
    expect(await claim({ ...GPU, cores: 4, more: 'x' })).toEqual([gpu, four]);
    expect(await claim({ a: 1, ...GPU, ...PARIS })).toEqual([both]);
    expect(await claim({ site: 'rome' })).toEqual([rome]);
  });

  it('find what is behind any number of tasks that another worker must have', async () => {
    await dispatch.enqueue(queue, times(150, needing(GPU)));
    const [plain, paris] = await dispatch.enqueue(queue, [{}, needing(PARIS)]);
    expect(await claim(PARIS, 1)).toEqual([plain]);
    expect(await claim(PARIS)).toEqual([paris]);
    expect(await claim({ ...GPU, ...PARIS }, 200)).toHaveLength(150);
  });

  it('follow from the policy unless the task says so itself, also of tasks that wait', async () => {
    const [own, none, other] = await dispatch.enqueue(queue, [needing(PARIS), needing({}), {}]);
    await dispatch.changePolicy(queue, { needs: GPU });
    expect(await claim()).toEqual([none]);
    expect(await claim(GPU)).toEqual([other]);
    expect(await claim(PARIS)).toEqual([own]);
  });

  it('end with the policy, and begin with it', async () => {
    const ids = await dispatch.enqueue(queue, [needing(GPU), {}]);
    await dispatch.changePolicy(queue, { needs: null });
    expect(await claim()).toEqual(ids);
    const late = `q-${uuidv7()}`;
    await dispatch.define(late);
    await dispatch.enqueue(late, times(3, {}));
    await dispatch.changePolicy(late, { needs: GPU });
    expect(await dispatch.claim(late, { max: 10 })).toEqual([]);
    expect(await dispatch.claim(late, { max: 10, offers: GPU })).toHaveLength(3);
  });

  it('hold for tasks that were due later, have keys, come back, or wait for others', async () => {
    const [first] = await dispatch.enqueue(queue, [needing(GPU)]);
    const [, , after] = await dispatch.enqueue(queue, [
      { ...needing(GPU), dueAt: new Date(Date.now() + 10).toISOString() },
      { ...needing(GPU), key: 'k' },
      { ...needing(GPU), after: [{ task: first! }] },
    ]);
    const [claimed] = await dispatch.claim(queue, { offers: GPU });
    await dispatch.settle([claimed!], { type: 'return' });
    expect(await claim()).toEqual([]);
    const done: string[] = [];
    while (done.length < 4) {
      const tasks = await dispatch.claim(queue, { max: 10, offers: GPU, waitMs: 60_000 });
      await dispatch.settle(tasks);
      done.push(...idsOf(tasks));
    }
    expect(done).toContain(after);
  });

  it('share the limits of a label with tasks that need something else', async () => {
    const limited = `q-${uuidv7()}`;
    await dispatch.define(limited, { needs: {}, perLabel: { label: 'customer', maxRunning: 2 } });
    const labels = { customer: 'acme' };
    await dispatch.enqueue(limited, [
      ...times(120, { labels, ...needing(GPU) }),
      ...times(3, { labels }),
      ...times(2, { labels: { customer: 'bolt' }, ...needing(PARIS) }),
    ]);
    const offers = { ...GPU, ...PARIS };
    const values = (tasks: readonly ClaimedTask[]) => tasks.map((task) => task.labels['customer']);
    expect(values(await dispatch.claim(limited, { max: 1, offers: PARIS }))).toEqual(['acme']);
    expect(values(await dispatch.claim(limited, { max: 10, offers }))).toEqual(['acme', 'bolt', 'bolt']);
    expect(await dispatch.claim(limited, { max: 10, offers })).toEqual([]);
  });

  describe('with fair shares', () => {
    const of = (tenant: string, needs: WorkerLabels = {}) => ({ labels: { tenant }, ...needing(needs) });
    const tenants = (tasks: readonly ClaimedTask[]) => tasks.map(({ labels }) => labels['tenant']);
    const claimed = (max: number, offers: WorkerLabels = {}) => dispatch.claim(queue, { max, offers });

    beforeEach(async () => {
      queue = `q-${uuidv7()}`;
      await dispatch.define(queue, { needs: {}, fair: { label: 'tenant' } });
    });

    it('pass over the turn of a value whose tasks another worker must have, which saves none', async () => {
      await dispatch.enqueue(queue, [...times(20, of('acme', GPU)), ...times(20, of('bolt'))]);
      expect(tenants(await claimed(8))).toEqual(times(8, 'bolt'));
      const values = tenants(await claimed(6, GPU));
      expect(values.filter((value) => value === 'acme').length).toBeLessThanOrEqual(4);
      expect(values.filter((value) => value === 'bolt').length).toBeGreaterThanOrEqual(2);
    });

    it('give a value the same turns, whatever its tasks need', async () => {
      const needs = [{}, GPU, PARIS, { ...GPU, ...PARIS }];
      await dispatch.enqueue(queue, [
        ...times(
          10,
          needs.map((one) => of('acme', one)),
        ).flat(),
        ...times(40, of('bolt', PARIS)),
      ]);
      const offers = { ...GPU, ...PARIS };
      const values: (string | undefined)[] = [];
      for (const max of [1, 1, 1, 1, 3, 5, 8]) values.push(...tenants(await claimed(max, offers)));
      expect(values.filter((value) => value === 'acme')).toHaveLength(10);
    });

    it('keep the order of the queue within a value, across needs', async () => {
      const [plain, gpu, high] = await dispatch.enqueue(queue, [
        of('acme'),
        of('acme', GPU),
        { ...of('acme', { ...GPU, ...PARIS }), priority: 5 },
      ]);
      const offers = { ...GPU, ...PARIS };
      expect([...(await claim(offers, 1)), ...(await claim(offers, 1)), ...(await claim(offers, 1))]).toEqual([
        high,
        plain,
        gpu,
      ]);
    });

    it('begin and end with the policy, also of tasks that wait', async () => {
      await dispatch.changePolicy(queue, { needs: null, fair: { label: 'tenant' } });
      await dispatch.enqueue(
        queue,
        [of('acme'), of('bolt')].map(({ labels }) => ({ labels })),
      );
      expect(await claimed(1)).toHaveLength(1);
      await dispatch.changePolicy(queue, { needs: GPU, fair: { label: 'tenant' } }, 3);
      expect(await claimed(5)).toEqual([]);
      expect(await claimed(5, GPU)).toHaveLength(1);
    });

    it('find the turns of others in few looks, whatever many values need', async () => {
      const { pool } = dispatch;
      await dispatch.enqueue(queue, [of('acme', PARIS)]);
      await pool.query(
        `with lanes as (
           insert into ready (queue, priority, from_seq, to_seq, lane)
             select q.name, 5, n, n, waybill_lane(q, jsonb_build_object('tenant', 't' || n), '{"gpu": true}') from queues q cross join generate_series(1e9, 1e9 + 9999) n
             where q.name = $1 returning queue, lane, from_seq)
         insert into turns (queue, lane, needs, value, at, place)
           select queue, lane, '{"gpu": true}', waybill_lane_turn(lane), 0, from_seq from lanes`,
        [queue],
      );
      await pool.query('vacuum analyze ready, turns');
      const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, format json) select waybill_turn_places(q, null, '{"site": "paris"}', 10) from queues q where name = $1`,
        [queue],
      );
      expect(rows[0]!['QUERY PLAN'][0]!.Plan['Shared Hit Blocks']).toBeLessThan(1_000);
      expect(tenants(await claimed(10, PARIS))).toEqual(['acme']);
    });
  });

  it('let claims with other offers wait side by side', async () => {
    const waiting = [GPU, PARIS].map((offers) => dispatch.claim(queue, { max: 1, waitMs: 600_000, offers }));
    const [paris, gpu] = await dispatch.enqueue(queue, [needing(PARIS), needing(GPU)]);
    expect((await Promise.all(waiting)).map(idsOf)).toEqual([[gpu], [paris]]);
  });

  it('are recorded with the claim as what its worker offered, and only where something is needed', async () => {
    const [gpu, plain] = await dispatch.enqueue(queue, [needing(GPU), {}]);
    const offers = { ...GPU, ...PARIS };
    await claim(offers);
    const histories = await dispatch.store.readFirst([`task-${gpu}`, `task-${plain}`]);
    expect(histories.map((history) => history.at(-1)!.event.data)).toMatchObject([{ offers }, {}]);
    expect(histories[1]!.at(-1)!.event.data).not.toHaveProperty('offers');
  });

  it('are found in few looks, whatever else other tasks need', async () => {
    const { pool } = dispatch;
    await dispatch.enqueue(queue, [needing(GPU)]);
    await pool.query(
      `insert into ready (queue, priority, from_seq, to_seq, lane)
        select $1, 5, n, n, json_build_object('needs', jsonb_build_object('gpu', true, 'site', 's' || n), 'limit', null)::text from generate_series(1e9, 1e9 + 9999) n`,
      [queue],
    );
    await pool.query('vacuum analyze ready');
    const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) select waybill_lanes($1, '{"gpu": true, "site": "paris", "cores": 4}')`,
      [queue],
    );
    expect(rows[0]!['QUERY PLAN'][0]!.Plan['Shared Hit Blocks']).toBeLessThan(300);
  });
});
