import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { claimOf, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const HOUR = 3_600_000;

/** One start an hour, and three at once. */
const SLOW = { starts: 1, perMs: HOUR, burst: 3 };

const of = (customer: string) => ({ labels: { customer } });
const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('rates %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;

  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(() => {
    queue = `q-${uuidv7()}`;
  });

  const valuesOf = (tasks: readonly ClaimedTask[]) => tasks.map(({ labels }) => labels['customer'] ?? null);
  const claim = (max = 10) => dispatch.claim(queue, { max });
  const refusal = async () => (await dispatch.ask(queue, { max: 10 })).refusal;

  /** As if the hours had passed since all starts. */
  const pass = (hours: number) =>
    dispatch.pool.query(`update paces set used_until = used_until - $2 * interval '1 hour' where queue = $1`, [
      queue,
      hours,
    ]);

  /** What claims at the same time get, each by itself. */
  const together = async (claims: number): Promise<readonly ClaimedTask[]> => {
    const answers = times(claims, null).map(() => dispatch.claims.serve(queue, [{ ...claimOf(queue), max: 5 }]));
    return (await Promise.all(answers))
      .flat()
      .flatMap((one) => (one !== 'next-round' && 'tasks' in one ? one.tasks : []));
  };

  it('allow as many starts as their burst at once, whichever claims meet, and then one after another', async () => {
    await dispatch.define(queue, { rate: SLOW });
    await dispatch.enqueue(queue, times(12, {}));
    expect(await together(4)).toHaveLength(3);
    expect(await claim()).toEqual([]);
    await pass(1);
    expect(await claim()).toHaveLength(1);
    await pass(2);
    expect(await together(3)).toHaveLength(2);
    await pass(100);
    expect(await together(3)).toHaveLength(3);
  });

  it('count a start again if its task comes back', async () => {
    await dispatch.define(queue, { rate: { ...SLOW, burst: 1 } });
    await dispatch.enqueue(queue, [{}]);
    await dispatch.settle(await claim(), { type: 'return' });
    expect(await claim()).toEqual([]);
  });

  it('do not have claims read what runs, which only other limits count', async () => {
    const runs = async (): Promise<number> => {
      const gate = 'select jsonb_array_length(running) as runs from waybill_gate($1, gen_random_uuid())';
      return (await dispatch.pool.query<{ runs: number }>(gate, [queue])).rows[0]!.runs;
    };
    await dispatch.define(queue, { rate: SLOW, perLabel: { label: 'customer', maxRunning: 5 } });
    await dispatch.enqueue(queue, times(2, {}));
    expect(await claim()).toHaveLength(2);
    expect(await runs()).toBe(0);
    await dispatch.changePolicy(queue, { rate: SLOW, maxRunning: 5 });
    expect(await runs()).toBe(2);
  });

  it('of values leave the starts of other values alone', async () => {
    await dispatch.define(queue, { perLabel: { label: 'customer', rate: SLOW } });
    await dispatch.enqueue(queue, [...times(200, of('acme')), ...times(2, of('bolt')), {}]);
    expect(valuesOf(await claim(50))).toEqual(['acme', 'acme', 'acme', 'bolt', 'bolt', null]);
    expect(await claim()).toEqual([]);
    await pass(1);
    expect(valuesOf(await claim())).toEqual(['acme']);
  });

  it('of values go with the limit of what runs, and with the rate of the queue', async () => {
    const perLabel = { label: 'customer', maxRunning: 1, rate: SLOW };
    await dispatch.define(queue, { rate: { ...SLOW, burst: 4 }, perLabel });
    await dispatch.enqueue(queue, [...times(9, of('acme')), ...times(9, of('bolt'))]);
    const first = await claim();
    expect(valuesOf(first)).toEqual(['acme', 'bolt']);
    await dispatch.settle(first.slice(0, 1));
    const second = await claim();
    expect(valuesOf(second)).toEqual(['acme']);
    await dispatch.settle([...first.slice(1), ...second]);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  it('are told to a claim that they leave without a task, with the time of the next start', async () => {
    await dispatch.define(queue, { rate: SLOW });
    await dispatch.enqueue(queue, times(3, {}));
    expect(await claim()).toHaveLength(3);
    expect(await refusal()).toBeNull();
    await dispatch.enqueue(queue, [{}]);
    const told = (await refusal()) as { readonly afterMs: number; readonly until: string };
    expect(told).toMatchObject({ code: 'RATE_REACHED' });
    expect(told.afterMs).toBeGreaterThan(HOUR - 60_000);
    expect(told.afterMs).toBeLessThanOrEqual(HOUR);
    expect(Math.abs(Date.parse(told.until) - Date.now() - told.afterMs)).toBeLessThan(60_000);
  });

  it('of values are told with the value', async () => {
    await dispatch.define(queue, { perLabel: { label: 'customer', rate: { ...SLOW, burst: 1 } } });
    await dispatch.enqueue(queue, times(2, of('acme')));
    await claim();
    expect(await refusal()).toMatchObject({ code: 'RATE_REACHED', label: 'customer', labelValue: 'acme' });
  });

  it('may change: a claim waits no longer than the new rate says', async () => {
    await dispatch.define(queue, { rate: { ...SLOW, burst: 1 } });
    await dispatch.enqueue(queue, times(3, {}));
    expect(await claim()).toHaveLength(1);
    await dispatch.changePolicy(queue, { rate: { starts: 1, perMs: 50, burst: 1 } });
    expect(await dispatch.claim(queue, { waitMs: 600_000 })).toHaveLength(1);
  });

  it('wake the claims that wait for them, which else look only every few seconds', async () => {
    await dispatch.define(queue, { rate: { starts: 1, perMs: 20, burst: 1 } });
    await dispatch.enqueue(queue, times(100, {}));
    const waiting = times(100, null).map(() => dispatch.claim(queue, { waitMs: 600_000 }));
    expect((await Promise.all(waiting)).flat()).toHaveLength(100);
  });

  it('give no window more starts than the burst and the rate, whichever claims meet', async () => {
    const [burst, perMs, total] = [3, 200, 18];
    await dispatch.define(queue, { rate: { starts: 1, perMs, burst } });
    await dispatch.enqueue(queue, times(total, {}));
    const starts: { readonly asked: number; readonly got: number }[] = [];
    const work = async (): Promise<void> => {
      while (starts.length < total) {
        const asked = Date.now();
        const tasks = await dispatch.claim(queue, { max: 2, waitMs: 1_000 });
        starts.push(...tasks.map(() => ({ asked, got: Date.now() })));
      }
    };
    await Promise.all([work(), work(), work()]);
    expect(starts).toHaveLength(total);
    // Each claim was made between the two times that its worker knows.
    const tooMany = starts.flatMap((last) =>
      starts.filter((first) => {
        const within = starts.filter(({ asked, got }) => asked >= first.asked && got <= last.got).length;
        return within > 0 && within > burst + (last.got - first.asked) / perMs;
      }),
    );
    expect(tooMany).toEqual([]);
  });
});
