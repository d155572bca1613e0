import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { WeightedTurns } from '../../support/weighted-turns.js';

const FAIR = { fair: { label: 'tenant', weights: { acme: 3 } } };

/** Values without tasks that are kept until a claim forgets them. */
const MOST_EMPTY = 32;

const of = (tenant: string) => ({ labels: { tenant } });
const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('turns between the values of a label %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;

  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue, FAIR);
  });

  const idsOf = (tasks: readonly { readonly taskId: string }[]) => tasks.map(({ taskId }) => taskId);
  const valuesOf = (tasks: readonly ClaimedTask[]) => tasks.map(({ labels }) => labels['tenant'] ?? null);
  const claim = (max: number, request = {}) => dispatch.claim(queue, { max, ...request });
  /** The values of claims of one task each. */
  const oneByOne = async (count: number): Promise<(string | null)[]> => {
    const values: (string | null)[] = [];
    while (values.length < count) values.push(...valuesOf(await claim(1)));
    return values;
  };

  it('delay a single task by one round, however many another value has', async () => {
    await dispatch.enqueue(queue, times(300, of('bolt')));
    expect(await oneByOne(2)).toEqual(['bolt', 'bolt']);
    await dispatch.enqueue(queue, [of('cast'), of('dune')]);
    expect((await oneByOne(3)).sort()).toEqual(['bolt', 'cast', 'dune']);
    expect(await oneByOne(2)).toEqual(['bolt', 'bolt']);
  });

  it('give a value as many turns as its weight says', async () => {
    await dispatch.enqueue(queue, [...times(20, of('bolt')), ...times(20, of('acme'))]);
    const values = await oneByOne(16);
    expect(values.filter((value) => value === 'acme')).toHaveLength(12);
  });

  it('give a claim of many tasks the same turns, also several of one value', async () => {
    await dispatch.enqueue(queue, [...times(50, of('bolt')), ...times(2, of('cast')), of('dune')]);
    const values = valuesOf(await claim(20));
    expect(values.filter((value) => value === 'cast')).toHaveLength(2);
    expect(values.filter((value) => value === 'dune')).toHaveLength(1);
    expect(values.filter((value) => value === 'bolt')).toHaveLength(17);
  });

  it('keep the order of the queue within a value', async () => {
    const [low, , high] = await dispatch.enqueue(queue, [of('bolt'), of('bolt'), { ...of('bolt'), priority: 5 }]);
    expect(idsOf(await claim(1))).toEqual([high]);
    expect(idsOf(await claim(1))).toEqual([low]);
  });

  it('count the tasks without the label as those of one value', async () => {
    await dispatch.enqueue(queue, [...times(30, {}), ...times(30, of('bolt'))]);
    const values = await oneByOne(10);
    expect(values.filter((value) => value === null)).toHaveLength(5);
  });

  it('give who comes back no turn before those who waited', async () => {
    await dispatch.enqueue(queue, times(50, of('bolt')));
    const served: string[] = [];
    for (let n = 0; n < 5; n++) {
      await dispatch.enqueue(queue, [of('cast')]);
      served.push(...(await oneByOne(2)).map(String));
    }
    expect(served.filter((value) => value === 'bolt')).toHaveLength(5);
  });

  it('hold for tasks that were due later, have keys, or come back', async () => {
    await dispatch.enqueue(queue, times(20, of('bolt')));
    await dispatch.enqueue(queue, [
      { ...of('cast'), dueAt: new Date(Date.now() + 10).toISOString() },
      { ...of('dune'), key: 'k' },
    ]);
    const first = await claim(4);
    expect(valuesOf(first).filter((value) => value === 'dune')).toHaveLength(1);
    await dispatch.settle(first, { type: 'return' });
    const seen = new Set<string | null>();
    while (seen.size < 3) for (const value of valuesOf(await claim(1))) seen.add(value);
  });

  it('hold for tasks that were enqueued before the policy, and end with it', async () => {
    const before = `q-${uuidv7()}`;
    await dispatch.define(before);
    const ids = await dispatch.enqueue(before, [...times(70, of('bolt')), of('cast')]);
    await dispatch.changePolicy(before, FAIR);
    expect(new Set(idsOf(await dispatch.claim(before, { max: 2 })))).toEqual(new Set([ids[0], ids[70]]));
    await dispatch.enqueue(queue, [...times(5, of('bolt')), of('cast')]);
    await dispatch.changePolicy(queue, { fair: null });
    expect(valuesOf(await claim(3))).toEqual(['bolt', 'bolt', 'bolt']);
  });

  it('hold again after they were off, for the tasks that came meanwhile', async () => {
    await dispatch.enqueue(queue, times(3, of('bolt')));
    await claim(1);
    await dispatch.changePolicy(queue, { fair: null });
    await dispatch.enqueue(queue, [...times(70, of('bolt')), of('cast')]);
    await dispatch.changePolicy(queue, FAIR, 3);
    expect(valuesOf(await claim(2)).sort()).toEqual(['bolt', 'cast']);
    expect(await claim(100)).toHaveLength(71);
  });

  it('pass over a value that has as many tasks as it may, which saves no turns', async () => {
    const limited = `q-${uuidv7()}`;
    const values = [{ value: 'acme', maxRunning: 2 }];
    await dispatch.define(limited, { fair: { label: 'tenant' }, perLabel: { label: 'tenant', values } });
    await dispatch.enqueue(limited, [...times(30, of('acme')), ...times(30, of('bolt'))]);
    const first = await dispatch.claim(limited, { max: 10 });
    expect(valuesOf(first).filter((value) => value === 'acme')).toHaveLength(2);
    expect(first).toHaveLength(10);
    await dispatch.claim(limited, { max: 10 });
    await dispatch.settle(first);
    const next = valuesOf(await dispatch.claim(limited, { max: 4 }));
    expect(next.filter((value) => value === 'acme')).toHaveLength(2);
  });

  it('pass over a value of which more tasks run than it may have by now', async () => {
    const limited = `q-${uuidv7()}`;
    const upTo = (maxRunning: number) => ({ perLabel: { label: 'tenant', maxRunning } });
    await dispatch.define(limited, { ...FAIR, ...upTo(3) });
    await dispatch.enqueue(limited, [...times(5, of('acme')), ...times(5, of('bolt'))]);
    expect(await dispatch.claim(limited, { max: 5 })).toHaveLength(5);
    await dispatch.changePolicy(limited, { ...FAIR, ...upTo(1) });
    await dispatch.enqueue(limited, [of('cast')]);
    expect(valuesOf(await dispatch.claim(limited, { max: 5 }))).toEqual(['cast']);
  });

  it('forget values that have no tasks any more, and lose none that has', async () => {
    const tenants = Array.from({ length: 200 }, (__, n) => `t${n}`);
    for (let round = 0; round < 2; round++) {
      await dispatch.enqueue(queue, tenants.map(of));
      const values: (string | null)[] = [];
      while (values.length < 200) values.push(...valuesOf(await claim(7)));
      expect(new Set(values).size).toBe(200);
    }
    await dispatch.enqueue(queue, times(4, of('bolt')));
    await oneByOne(2);
    const { rows } = await dispatch.pool.query<{ n: number }>('select count(*)::int as n from turns where queue = $1', [
      queue,
    ]);
    expect(rows[0]!.n).toBeLessThanOrEqual(MOST_EMPTY);
    expect(await claim(10)).toHaveLength(2);
  });

  /** So many values had a turn at the present virtual time. */
  const passRound = () => dispatch.pool.query('update laned set turns = 100000 where queue = $1', [queue]);
  const fresh = (count: number, name: string) => Array.from({ length: count }, (__, n) => of(`${name}${n}`));

  it('come to a value that has had one, however many others come for the first time', async () => {
    await dispatch.enqueue(queue, [of('back')]);
    expect(valuesOf(await claim(1))).toEqual(['back']);
    await dispatch.enqueue(queue, [...fresh(40, 'new'), of('back')]);
    expect(valuesOf(await claim(1))).toEqual(['new0']);
    await passRound();
    expect(valuesOf(await claim(1))).toEqual(['new1']);
    await dispatch.enqueue(queue, fresh(40, 'newer'));
    expect(valuesOf(await claim(38)).sort()).toEqual(
      fresh(40, 'new')
        .slice(2)
        .map(({ labels }) => labels.tenant)
        .sort(),
    );
    expect(await oneByOne(2)).toEqual(['back', 'newer0']);
  });

  it('are forgotten of values that never come again, also while others always come for the first time', async () => {
    await dispatch.enqueue(queue, fresh(40, 'first'));
    for (let round = 0; round < 10; round++) {
      await dispatch.enqueue(queue, fresh(40, `r${round}-`));
      expect(await claim(40)).toHaveLength(40);
      await passRound();
    }
    const { rows } = await dispatch.pool.query<{ n: number }>('select count(*)::int as n from turns where queue = $1', [
      queue,
    ]);
    expect(rows[0]!.n).toBeLessThanOrEqual(40 * 5);
  });

  it('before that of a task are counted behind however many values without tasks', async () => {
    const [, cast] = await dispatch.enqueue(queue, [of('bolt'), of('cast')]);
    await dispatch.pool.query(
      `insert into turns (queue, lane, needs, value, at, place)
       select q.name, l.lane, '', waybill_lane_turn(l.lane), 0, -n from queues q cross join generate_series(1, 10000) n
       cross join lateral (select waybill_lane(q, jsonb_build_object('tenant', 'gone' || n), null) as lane) l where q.name = $1`,
      [queue],
    );
    const { rows } = await dispatch.pool.query<{ before: number }>(
      'select waybill_turns_before(q, t, 9999) as before from queues q join tasks t on t.queue = q.name where t.task_id = $1',
      [cast],
    );
    expect(rows).toEqual([{ before: 1 }]);
  });

  const tenant = fc.constantFrom('acme', 'bolt', 'cast', 'dune', 'echo');
  const step = fc.oneof(
    fc.record({ enqueue: fc.array(fc.record({ tenant, priority: fc.nat(2) }), { minLength: 1, maxLength: 12 }) }),
    fc.record({ claim: fc.integer({ min: 1, max: 15 }) }),
  );
  const weights = { acme: 3, bolt: 2, cast: 5 };

  it('are those of start-time fair queueing, whatever comes and is claimed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 25 }), async (steps) => {
        const name = `q-${uuidv7()}`;
        await dispatch.define(name, { fair: { label: 'tenant', weights } });
        const model = new WeightedTurns(weights);
        for (const one of steps) {
          if ('enqueue' in one) {
            const ids = await dispatch.enqueue(
              name,
              one.enqueue.map(({ tenant: value, priority }) => ({ ...of(value), priority })),
            );
            one.enqueue.forEach(({ tenant: value, priority }, at) => model.enqueue(value, { id: ids[at]!, priority }));
          } else if (model.waiting > 0) {
            const expected = Math.min(one.claim, model.waiting);
            const claimed = await dispatch.claim(name, { max: one.claim });
            expect(claimed).toHaveLength(expected);
            expect(model.take(idsOf(claimed))).toBeNull();
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
