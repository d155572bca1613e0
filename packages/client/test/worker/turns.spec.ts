import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SettleItem } from '@waybill/contracts';
import type { Worker, WorkerOptions } from '../../src/index.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { problem, type Received, type Reply } from '../support/stub-service.js';
import { CLAIMS, claimedTask, EXTEND, heartbeat, SETTLE, StubWork, TURNS } from '../support/stub-work.js';
import { until } from '../support/until.js';

let work: StubWork;
let worker: Worker;
let told: [doing: string, retryInMs: number | null][];

beforeEach(async () => {
  work = (await StubWork.start('mail', 'print')).knowsTurns();
  told = [];
});
afterEach(async () => {
  await stop();
  await work.service.close();
});

/** Stops the worker without waiting for anything. */
async function stop(): Promise<void> {
  let isOver = false;
  const stopped = worker.stop().then(() => (isOver = true));
  while (!isOver) {
    for (const ms of work.clock.pending) await work.clock.fire(ms);
    await new Promise(setImmediate);
  }
  await stopped;
}

/** A worker in one slot that runs each task to its end at once, and notes the order. */
function working(options: WorkerOptions = {}): string[] {
  const worked: string[] = [];
  worker = work.worker({ concurrency: 1, aheadMs: 0, ...options }).handle('mail', ({ taskId }) => worked.push(taskId));
  // Of this worker alone, also once it has stopped.
  const notices = told;
  worker.on('unavailable', ({ doing, retryInMs }) => notices.push([doing, retryInMs]));
  return worked;
}

const offer = (...ids: string[]): void => work.offer(...ids.map((id) => claimedTask(id)));
const bodies = (route: string): any[] => work.service.of(route).map(({ body }) => body);
const settledIn = (route: string): string[][] =>
  bodies(route).map(({ items }) => items.map(({ taskId }: SettleItem) => taskId));
const isFailure = ({ verdict }: SettleItem): boolean => verdict.type === 'fail';
const succeeded = ({ taskId }: SettleItem) => ({
  id: taskId,
  position: '1',
  revision: 1,
  recorded: true,
  state: 'succeeded' as const,
});

describe('a worker', () => {
  it('settles and claims in one request while there are tasks, and waits for the next with a claim', async () => {
    offer('a', 'b');
    const worked = working({ leaseMs: 9_000 });
    await worker.start();
    await work.service.received(CLAIMS, 2);
    expect(worked).toEqual(['a', 'b']);
    expect(settledIn(TURNS)).toEqual([['a'], ['b']]);
    const [{ items, ...claim }] = bodies(TURNS);
    expect(items).toMatchObject([{ verdict: { type: 'succeed' } }]);
    const claimId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(claim).toEqual({ worker: 'w1', server: 's1', build: '3.1', leaseMs: 9_000, max: 1, claimId });
    expect(bodies(CLAIMS)).toMatchObject([{ waitMs: 30_000 }, { waitMs: 30_000 }]);
    expect(bodies(SETTLE)).toEqual([]);
  });

  it('claims at a step in a turn, too', async () => {
    offer('a');
    const handler = Object.assign(() => undefined, { steps: ['read'] });
    worker = work.worker({ concurrency: 1 }).handle('mail', handler);
    await worker.start();
    expect((await work.service.received(TURNS)).body.steps).toEqual(['read']);
  });

  it('settles alone while its claim waits', async () => {
    offer('a');
    const worked = working({ concurrency: 2 });
    const end = deferred();
    worker = work.worker({ concurrency: 2 }).handle('mail', () => end.promise);
    await worker.start();
    expect((await work.service.received(CLAIMS, 2)).body).toMatchObject({ max: 1, waitMs: 30_000 });
    end.resolve();
    await work.service.received(SETTLE);
    expect([worked, settledIn(SETTLE), bodies(TURNS)]).toEqual([[], [['a']], []]);
  });

  it('claims for the slots of all tasks that it settles, and sends what ends meanwhile with its next claim', async () => {
    const ends = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, deferred()]));
    offer(...ends.keys());
    const answer = deferred();
    const turn = work.turnsOf('mail');
    const slow = async (request: Received): Promise<Reply> => (await answer.promise, turn(request));
    work.service.on(TURNS, slow, turn);
    worker = work.worker({ concurrency: 3, aheadMs: 0 }).handle('mail', ({ taskId }) => ends.get(taskId)!.promise);
    await worker.start();
    await work.service.received(CLAIMS);
    ends.get('a')!.resolve();
    ends.get('b')!.resolve();
    await work.service.received(TURNS);
    ends.get('c')!.resolve();
    answer.resolve();
    await work.service.received(TURNS, 2);
    expect(settledIn(TURNS)).toEqual([['a', 'b'], ['c']]);
    expect(bodies(TURNS).map(({ max }) => max)).toEqual([2, 1]);
    for (const end of ends.values()) end.resolve();
  });

  it('takes turns for the queue that waits for slots, whatever it settles', async () => {
    work.knowsTurns('print');
    work.offer(...['a', 'b', 'c'].map((id) => claimedTask(id, { queue: 'print' })));
    const worked: string[] = [];
    worker = work
      .worker({ concurrency: 1 })
      .handle('mail', () => null)
      .handle('print', ({ taskId }) => worked.push(taskId));
    await worker.start();
    await until(() => worked.length === 3);
    await until(() => work.service.of(CLAIMS).length > 1);
    expect(settledIn('POST /v1/queues/print/turns').flat()).toEqual(expect.arrayContaining(['a', 'b']));
    const max = [...bodies(TURNS), ...bodies('POST /v1/queues/print/turns')].map((body) => body.max);
    expect(new Set(max)).toEqual(new Set([1]));
  });
});

describe('a service of an earlier version', () => {
  it.each([
    ['that says so', problem(404, 'ROUTE_NOT_FOUND')],
    ['behind a proxy', { status: 404, body: 'Not here' }],
    ['whose path is taken for another', problem(405, 'METHOD_NOT_ALLOWED')],
  ])('%s is asked once, and nobody is told', async (_, reply) => {
    work.service.on(TURNS, reply);
    offer('a', 'b', 'c');
    const worked = working();
    await worker.start();
    await work.service.received(SETTLE, 3);
    await work.service.received(CLAIMS, 4);
    expect(worked).toEqual(['a', 'b', 'c']);
    expect(settledIn(TURNS)).toEqual([['a']]);
    expect(settledIn(SETTLE)).toEqual([['a'], ['b'], ['c']]);
    expect(told).toEqual([]);
  });
});

describe('a turn that is refused as a whole', () => {
  it('is made of a settlement and a claim instead, and the next one is tried again', async () => {
    work.service.on(TURNS, problem(403, 'FORBIDDEN'), work.turnsOf('mail'));
    offer('a', 'b');
    const worked = working();
    await worker.start();
    await work.service.received(TURNS, 2);
    expect([settledIn(TURNS), settledIn(SETTLE)]).toEqual([[['a'], ['b']], [['a']]]);
    expect([worked, told]).toEqual([['a', 'b'], []]);
  });

  it('because an item is invalid affects no other task', async () => {
    const picky = (ok: Reply) => (request: Received) =>
      request.body.items.some(({ taskId, verdict }: SettleItem) => taskId === 'b' && verdict.type === 'succeed')
        ? problem(400, 'INVALID_INPUT')
        : ok;
    work.service.on(TURNS, picky(work.turnsOf('mail')));
    work.service.on(
      SETTLE,
      picky((request) => ({ body: { results: request.body.items.map(succeeded) } })),
    );
    offer('a', 'b', 'c');
    working({ concurrency: 3 });
    await worker.start();
    const failed = () => [...bodies(SETTLE), ...bodies(TURNS)].flatMap(({ items }) => items).find(isFailure);
    await until(() => settledIn(SETTLE).length >= 4 && failed() !== undefined);
    expect(settledIn(SETTLE).slice(0, 4)).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    expect(failed()).toMatchObject({ taskId: 'b', verdict: { final: true } });
  });
});

describe('a claim that fails in a turn', () => {
  const failing =
    (code: string, status: number): Reply =>
    ({ body }) => ({
      body: { tasks: [], position: null, results: body.items.map(succeeded), problem: problem(status, code).body },
    });

  it('because it is refused is told, and made anew after a while; what was settled stays settled', async () => {
    work.service.on(TURNS, failing('QUEUE_NOT_FOUND', 404));
    offer('a');
    const worked = working();
    await worker.start();
    await work.clock.fire(100);
    await work.service.received(CLAIMS, 2);
    const [turn] = bodies(TURNS);
    expect(bodies(CLAIMS).map(({ claimId }) => claimId)).not.toContain(turn.claimId);
    expect([worked, told, bodies(SETTLE)]).toEqual([['a'], [['claim', 100]], []]);
  });

  it.each([
    ['TOO_MANY_WAITING', 429],
    ['STORE_UNAVAILABLE', 503],
    ['INTERNAL_ERROR', 500],
  ])('for now is made again alone, under its id: %s', async (code, status) => {
    work.service.on(TURNS, failing(code, status), work.turnsOf('mail'));
    offer('a');
    const worked = working();
    await worker.start();
    await work.service.received(TURNS);
    offer('b');
    await work.clock.fire(100);
    await work.service.received(TURNS, 2);
    expect(bodies(CLAIMS)[1]).toMatchObject({ claimId: bodies(TURNS)[0].claimId, max: 1 });
    expect([worked, told]).toEqual([['a', 'b'], [['claim', 100]]]);
    expect(settledIn(TURNS)).toEqual([['a'], ['b']]);
    expect(bodies(SETTLE)).toEqual([]);
  });

  it('because enough tasks run is one without tasks', async () => {
    work.service.on(TURNS, failing('HOLDER_FULL', 429));
    offer('a');
    working();
    await worker.start();
    expect((await work.service.received(CLAIMS, 2)).body).toMatchObject({ waitMs: 30_000 });
    expect(told).toEqual([]);
  });
});

describe('a turn whose answer is lost', () => {
  it('is repeated as a settlement and a claim of the same id, which lose and repeat no task', async () => {
    const turn = work.turnsOf('mail');
    work.service.on(TURNS, async (request): Promise<Reply> => (await turn(request), 'cut'), turn);
    offer('a', 'b');
    const worked = working();
    await worker.start();
    await work.service.received(TURNS);
    await until(() => told.length === 2);
    await work.clock.fire(50);
    await work.clock.fire(100);
    await until(() => worked.length === 2);
    await until(() => settledIn(SETTLE).length > 0);
    expect([worked, settledIn(TURNS)[0], settledIn(SETTLE)[0]]).toEqual([['a', 'b'], ['a'], ['a']]);
    expect(bodies(CLAIMS)[1].claimId).toBe(bodies(TURNS)[0].claimId);
    expect(told.map(([doing]) => doing).toSorted()).toEqual(['claim', 'settle']);
  });

  it('is followed by no other before what it settled is answered', async () => {
    const turn = work.turnsOf('mail');
    work.service.on(TURNS, 'cut', turn);
    work.service.on(SETTLE, 'cut');
    offer('a', 'b', 'c');
    const worked = working();
    await worker.start();
    await until(() => told.length === 2);
    await work.clock.fire(100);
    await until(() => worked.length === 2);
    await work.clock.fire(50);
    await work.service.received(SETTLE);
    expect([worked, bodies(TURNS).length]).toEqual([['a', 'b'], 1]);
  });
});

type Answer = ReturnType<typeof work.turnsOf>;

/** Gives tasks as the turn does, and settles none. */
const refusing =
  (turn: Answer, status: number, code: string) =>
  async (request: Received): Promise<Reply> => {
    const { body } = await turn(request);
    return { body: { ...body, results: [{ problem: problem(status, code).body }] } };
  };

it('repeats alone what a turn could not settle now', async () => {
  const turn = work.turnsOf('mail');
  work.service.on(TURNS, refusing(turn, 503, 'CONTENTION'), turn);
  offer('a', 'b');
  const worked = working();
  await worker.start();
  await until(() => worked.length === 2);
  await work.clock.fire(50);
  const { body } = await work.service.received(SETTLE);
  expect(body.items.map(({ taskId }: SettleItem) => taskId)).toEqual(['a', 'b']);
  expect(told).toEqual([['settle', 50]]);
});

it('tells of a lease that a turn found lost, and goes on', async () => {
  const turn = work.turnsOf('mail');
  work.service.on(TURNS, refusing(turn, 409, 'LEASE_LOST'), turn);
  offer('a', 'b');
  const worked = working();
  const lost: string[] = [];
  worker.on('lost', ({ task }) => lost.push(task.taskId));
  await worker.start();
  await work.service.received(TURNS, 2);
  expect([worked, lost]).toEqual([['a', 'b'], ['a']]);
});

describe('a worker that stops during a turn', () => {
  it('returns what the turn claims', async () => {
    const answer = deferred();
    const turn = work.turnsOf('mail');
    work.service.on(TURNS, async (request): Promise<Reply> => (await answer.promise, turn(request)));
    offer('a', 'b');
    const worked = working();
    await worker.start();
    await work.service.received(TURNS);
    const stopped = worker.stop();
    answer.resolve();
    expect(await stopped).toEqual({ returned: ['b'], abandoned: [] });
    expect(worked).toEqual(['a']);
    expect(work.verdicts).toEqual([['b', { type: 'return', unstarted: true }]]);
  });

  it('stops in time if it is never answered, and asks for nothing afterwards', async () => {
    work.service.on(TURNS, 'silence');
    offer('a');
    working({ graceMs: 5_000 });
    await worker.start();
    await work.service.received(TURNS);
    const stopped = worker.stop();
    await work.clock.fire(4_000);
    await work.clock.fire(1_000);
    expect((await stopped).abandoned).toMatchObject([{ taskId: 'a' }]);
    await work.service.of(TURNS)[0]!.gone;
    expect(bodies(CLAIMS)).toHaveLength(1);
  });
});

describe('tasks that are claimed ahead', () => {
  let ends: Map<string, Deferred<unknown>>;
  let begun: string[];
  let running: number;
  let most: number;

  beforeEach(() => {
    [ends, begun, running, most] = [new Map(), [], 0, 0];
  });
  afterEach(() => {
    for (const end of ends.values()) end.resolve(null);
  });

  /** A hundred tasks whose handlers take so long say how long handlers take. Then `0` and those behind it end when the test says so. */
  async function begin(count: number, options: WorkerOptions = {}, takesMs = 0): Promise<void> {
    offer(...Array.from({ length: 100 }, () => 'before'), ...Array.from({ length: count }, (_, n) => String(n)));
    worker = work.worker({ concurrency: 2, ...options }).handle('mail', async ({ taskId }) => {
      if (taskId === 'before') return work.clock.pass(takesMs);
      begun.push(taskId);
      most = Math.max(most, ++running);
      const end = deferred<unknown>();
      ends.set(taskId, end);
      await end.promise;
      running -= 1;
    });
    await worker.start();
    await until(() => begun.length === 2);
    ends.get('0')!.resolve(null);
    await until(() => begun.length === 3);
  }

  const mostOfATurn = (): number => Math.max(...bodies(TURNS).map(({ max }) => max));

  it('are as many as short handlers begin in a moment, and begin when others end, before the service answers', async () => {
    await begin(100);
    expect(mostOfATurn()).toBe(42);
    const answer = deferred();
    const turn = work.turnsOf('mail');
    work.service.on(TURNS, async (request): Promise<Reply> => (await answer.promise, turn(request)));
    for (const id of ['1', '2', '3', '4']) {
      await until(() => ends.has(id));
      ends.get(id)!.resolve(null);
    }
    await until(() => begun.length === 7);
    expect([most, running]).toEqual([2, 2]);
    answer.resolve();
  });

  it.each([
    ['none if the worker says so', { aheadMs: 0 }, 0, 2],
    ['none if handlers take long', {}, 500, 2],
    ['no more than the prefetch', { prefetch: 3 }, 0, 3],
  ])('are %s', async (_, options, takesMs, max) => {
    await begin(50, options, takesMs);
    expect(mostOfATurn()).toBe(max);
  });

  it('are none of a worker of several queues', async () => {
    offer(...Array.from({ length: 150 }, (_, n) => String(n)));
    worker = work
      .worker({ concurrency: 2 })
      .handle('mail', ({ taskId }) => begun.push(taskId))
      .handle('print', () => null);
    await worker.start();
    await until(() => begun.length === 150);
    expect(bodies(TURNS).every(({ max }) => max <= 2)).toBe(true);
  });

  it('never run if they are cancelled or lost before', async () => {
    await begin(6);
    const lost: string[] = [];
    worker.on('lost', ({ task }) => lost.push(task.taskId));
    work.service.on(EXTEND, heartbeat({ '3': 'cancel', '4': 'lost' }));
    await work.clock.fire(10_000);
    await until(() => lost.length === 1);
    for (const id of ['1', '2']) ends.get(id)!.resolve(null);
    await until(() => begun.includes('5'));
    ends.get('5')!.resolve(null);
    await until(() => verdictsOf('3').length === 1 && verdictsOf('5').length === 1);
    expect(begun).toEqual(['0', '1', '2', '5']);
    expect([verdictsOf('3'), verdictsOf('4'), lost]).toEqual([[{ type: 'confirmCancel' }], [], ['4']]);
  });

  it('are returned unstarted after a second, and no others are claimed, if the handlers turn out to be slow', async () => {
    await begin(6);
    await work.clock.fire(1_000);
    await until(() => verdictsOf('5').length === 1);
    for (const id of ['3', '4', '5']) expect(verdictsOf(id)).toEqual([{ type: 'return', unstarted: true }]);
    expect(begun).toEqual(['0', '1', '2']);
    offer('6', '7', '8');
    ends.get('1')!.resolve(null);
    await until(() => begun.length === 4);
    expect(bodies(TURNS).at(-1)).toMatchObject({ max: 1 });
  });

  it('are returned unstarted when the worker stops', async () => {
    await begin(5);
    const stopped = worker.stop();
    for (const id of ['1', '2']) ends.get(id)!.resolve(null);
    expect((await stopped).returned.toSorted()).toEqual(['3', '4']);
    expect(work.clock.pending).toEqual([]);
  });

  const verdictsOf = (id: string): unknown[] =>
    [...bodies(SETTLE), ...bodies(TURNS)]
      .flatMap(({ items }) => items as SettleItem[])
      .flatMap(({ taskId, verdict }) => (taskId === id ? [verdict] : []));
});
