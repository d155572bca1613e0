import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { claimOf, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const BY_CUSTOMER = { perLabel: { label: 'customer', maxRunning: 2 } };

const of = (customer: string) => ({ labels: { customer } });
const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('limits of the values of a label %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;

  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue, BY_CUSTOMER);
  });

  const idsOf = (tasks: readonly { readonly taskId: string }[]) => tasks.map(({ taskId }) => taskId);
  const valuesOf = (tasks: readonly ClaimedTask[]) => tasks.map(({ labels }) => labels['customer'] ?? null);

  it('give out the first tasks in line of each value, up to its limit, and more as these end', async () => {
    const ids = await dispatch.enqueue(queue, [...times(4, of('acme')), ...times(3, of('bolt'))]);
    const claimed = await dispatch.claim(queue, { max: 10 });
    expect(idsOf(claimed)).toEqual([ids[0], ids[1], ids[4], ids[5]]);
    expect(await dispatch.claim(queue, { max: 10 })).toEqual([]);
    await dispatch.settle(claimed.slice(0, 1));
    expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([ids[2]]);
    await dispatch.settle(claimed.slice(2));
    expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([ids[6]]);
  });

  it('count the tasks without the label as those of one value', async () => {
    await dispatch.enqueue(queue, [{}, { labels: { site: 'paris' } }, {}, of('acme')]);
    expect(valuesOf(await dispatch.claim(queue, { max: 10 }))).toEqual([null, null, 'acme']);
  });

  it('take higher priorities first, and leave those of a full value', async () => {
    const [low, , high] = await dispatch.enqueue(queue, [of('acme'), of('acme'), { ...of('acme'), priority: 5 }]);
    expect(idsOf(await dispatch.claim(queue, { max: 2 }))).toEqual([high, low]);
    const [other] = await dispatch.enqueue(queue, [{ ...of('bolt'), priority: -5 }]);
    expect(idsOf(await dispatch.claim(queue, { max: 2 }))).toEqual([other]);
  });

  it('find what is behind any number of tasks of a full value', async () => {
    await dispatch.enqueue(queue, times(120, of('acme')));
    const [one, two] = await dispatch.enqueue(queue, [of('bolt'), of('cast')]);
    expect(await dispatch.claim(queue, { max: 2 })).toHaveLength(2);
    expect(idsOf(await dispatch.claim(queue, { max: 1 }))).toEqual([one]);
    expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([two]);
  });

  it('hold for tasks that were due later, have keys, or come back', async () => {
    await dispatch.enqueue(queue, [
      { ...of('acme'), dueAt: new Date(Date.now() + 10).toISOString() },
      { ...of('acme'), key: 'k' },
      of('acme'),
    ]);
    const [first, second] = await dispatch.claim(queue, { max: 2 });
    expect(await dispatch.claim(queue, { max: 10 })).toEqual([]);
    await dispatch.settle([first!], { type: 'return' });
    expect(await dispatch.claim(queue, { max: 10 })).toHaveLength(1);
    await dispatch.settle([second!]);
    expect(await dispatch.claim(queue, { max: 10, waitMs: 60_000 })).toHaveLength(1);
    expect(await dispatch.claim(queue, { max: 10 })).toEqual([]);
  });

  it('hold for tasks that were enqueued before the limits, alone or many at once', async () => {
    const before = `q-${uuidv7()}`;
    await dispatch.define(before);
    const ids = await dispatch.enqueue(before, [
      ...times(70, of('acme')),
      ...times(3, of('bolt')),
      { ...of('cast'), key: 'k' },
    ]);
    const [running] = await dispatch.claim(before, { max: 1 });
    await dispatch.changePolicy(before, BY_CUSTOMER);
    expect(idsOf(await dispatch.claim(before, { max: 10 }))).toEqual([ids[1], ids[70], ids[71], ids[73]]);
    await dispatch.settle([running!]);
    expect(idsOf(await dispatch.claim(before, { max: 10 }))).toEqual([ids[2]]);
  });

  it('follow another label, and end with the policy', async () => {
    const ids = await dispatch.enqueue(
      queue,
      times(3, { labels: { customer: 'acme', site: 'paris' } }).concat(
        times(3, { labels: { customer: 'acme', site: 'rome' } }),
      ),
    );
    expect(await dispatch.claim(queue, { max: 10 })).toHaveLength(2);
    await dispatch.changePolicy(queue, { perLabel: { label: 'site', maxRunning: 1 } });
    expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([ids[3]]);
    const free = `q-${uuidv7()}`;
    await dispatch.define(free, BY_CUSTOMER);
    await dispatch.enqueue(free, times(5, of('acme')));
    await dispatch.changePolicy(free, { perLabel: null });
    expect(await dispatch.claim(free, { max: 10 })).toHaveLength(5);
  });

  it('may be other ones for a value, changed while tasks wait', async () => {
    await dispatch.enqueue(queue, [...times(5, of('acme')), ...times(5, of('bolt')), ...times(5, {})]);
    expect(await dispatch.claim(queue, { max: 20 })).toHaveLength(6);
    const values = [
      { value: 'acme', maxRunning: 4 },
      { value: 'bolt', rate: { starts: 1, perMs: 3_600_000, burst: 1 } },
    ];
    await dispatch.changePolicy(queue, { perLabel: { ...BY_CUSTOMER.perLabel, values } });
    const more = await dispatch.claim(queue, { max: 20 });
    expect(valuesOf(more)).toEqual(['acme', 'acme']);
    const other = `q-${uuidv7()}`;
    await dispatch.define(other, { perLabel: { ...BY_CUSTOMER.perLabel, values } });
    await dispatch.enqueue(other, [...times(120, of('acme')), ...times(5, of('bolt')), ...times(5, of('cast'))]);
    expect(valuesOf(await dispatch.claim(other, { max: 1 }))).toEqual(['acme']);
    expect(valuesOf(await dispatch.claim(other, { max: 20 }))).toEqual([
      'acme',
      'acme',
      'acme',
      'bolt',
      'cast',
      'cast',
    ]);
  });

  it('may be of single values only, while tasks of the others start without limit', async () => {
    const only = `q-${uuidv7()}`;
    await dispatch.define(only, { perLabel: { label: 'customer', values: [{ value: 'acme', maxRunning: 1 }] } });
    await dispatch.enqueue(only, [...times(120, of('acme')), ...times(3, of('bolt')), {}]);
    expect(valuesOf(await dispatch.claim(only, { max: 2 }))).toEqual(['acme', 'bolt']);
    expect(valuesOf(await dispatch.claim(only, { max: 200 }))).toEqual(['bolt', 'bolt', null]);
  });

  it('say so to a claim that they leave without a task, and only then', async () => {
    const refusal = async () => (await dispatch.ask(queue, { max: 10 })).refusal;
    expect(await refusal()).toBeNull();
    await dispatch.enqueue(queue, times(3, of('acme')));
    await dispatch.claim(queue, { max: 10 });
    expect(await refusal()).toEqual({ code: 'LABEL_FULL', label: 'customer', labelValue: 'acme', most: 2 });
  });

  it('let claims wait until a task of the value ends, also one that came together with the last to get a task', async () => {
    await dispatch.enqueue(queue, times(4, of('acme')));
    const [first] = await dispatch.claim(queue, { max: 1 });
    const waiting = [1, 2].map(() => dispatch.claim(queue, { max: 1, waitMs: 600_000 }));
    const [second] = await Promise.race(waiting);
    await dispatch.settle([first!]);
    const [one, two] = await Promise.all(waiting);
    expect(new Set(idsOf([first!, second!, ...one!, ...two!])).size).toBe(3);
  });

  it('hold whichever claims meet, and let all tasks through', async () => {
    const total = 120;
    const customers = Array.from({ length: total }, (__, n) => (n % 5 > 1 ? 'acme' : n % 5 > 0 ? 'bolt' : 'cast'));
    await dispatch.enqueue(queue, customers.map(of));
    const running = new Map<string, number>();
    let [done, most] = [0, 0];
    const count = (tasks: readonly ClaimedTask[], by: 1 | -1): void => {
      for (const { labels } of tasks) running.set(labels['customer']!, (running.get(labels['customer']!) ?? 0) + by);
      most = Math.max(most, ...running.values());
    };
    const claimed = async (): Promise<readonly ClaimedTask[]> => {
      const [answer] = await dispatch.claims.serve(queue, [{ ...claimOf(queue), max: 3 }]);
      const tasks = answer !== 'next-round' && 'tasks' in answer! ? answer.tasks : [];
      count(tasks, 1);
      return tasks;
    };
    const work = async (): Promise<void> => {
      while (done < total) {
        const tasks = [...(await claimed()), ...(await claimed())];
        count(tasks, -1);
        if (tasks.length > 0) await dispatch.settle(tasks);
        done += tasks.length;
      }
    };
    await Promise.all([work(), work(), work()]);
    expect([done, most]).toEqual([total, 2]);
  });
});
