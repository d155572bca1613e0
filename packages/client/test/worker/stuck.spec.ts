import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler, StopReason, Worker } from '../../src/index.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { until } from '../support/until.js';
import { CLAIMS, claimedTask, EXTEND, extended, heartbeat, SETTLE, StubWork } from '../support/stub-work.js';

let work: StubWork;
let worker: Worker;
let ends: Map<string, Deferred<unknown>>;
let stuck: [string, StopReason, boolean][];

beforeEach(async () => {
  work = await StubWork.start('mail', 'other');
  ends = new Map();
  stuck = [];
});
afterEach(async () => {
  for (const end of ends.values()) end.resolve(null);
  await worker.stop();
  await work.service.close();
});

/** Ignores its signal, and ends when the test says so. */
const ignoring: Handler<any> = ({ taskId }) => {
  const end = deferred<unknown>();
  ends.set(taskId, end);
  return end.promise;
};

/** Runs tasks in one slot. The service says of each at its first heartbeat that it is lost or cancelled. */
async function begin(...says: ('lost' | 'cancel')[]): Promise<void> {
  const ids = says.map((_, index) => `t${index}`);
  worker = work.worker({ concurrency: 1, stuckAfterMs: 7_000 }).handle('mail', ignoring);
  worker.on('stuck', ({ task, reason, slotFreed }) => stuck.push([task.taskId, reason, slotFreed]));
  work.offer(...ids.map((id) => claimedTask(id)), claimedTask('last'));
  await worker.start();
  for (const [index, id] of ids.entries()) {
    await until(() => ends.has(id));
    work.service.on(EXTEND, heartbeat({ [id]: says[index]! }), extended);
    await work.clock.fire(10_000);
    await work.clock.fire(7_000);
  }
}

const presence = (): unknown[] =>
  work.service.of(CLAIMS).flatMap(({ body }) => (body.max === 0 ? [[body.worker, body.stuck]] : []));

describe('a handler that goes on although its task is', () => {
  it.each([
    ['lost', 'lease-lost'],
    ['cancel', 'cancel'],
  ] as const)('%s gives its slot up after a while, and the worker says so', async (says, reason) => {
    await begin(says);
    await until(() => ends.has('last'));
    expect(stuck).toEqual([['t0', reason, true]]);
  });

  it('lost frees no second slot when it ends', async () => {
    await begin('lost');
    await until(() => ends.has('last'));
    ends.get('t0')!.resolve(null);
    work.offer(claimedTask('more'));
    ends.get('last')!.resolve(null);
    await until(() => ends.has('more'));
    expect(work.service.of(CLAIMS).map(({ body }) => body.max)).not.toContain(2);
  });

  it('lost keeps its slot if as many are stuck as there are slots', async () => {
    await begin('lost', 'lost');
    await until(() => stuck.length === 2);
    expect(stuck).toEqual([
      ['t0', 'lease-lost', true],
      ['t1', 'lease-lost', false],
    ]);
    expect(ends.has('last')).toBe(false);
    ends.get('t1')!.resolve(null);
    await until(() => ends.has('last'));
  });

  it('lost gives its slot to another queue before its own', async () => {
    worker = work.worker({ concurrency: 1, stuckAfterMs: 7_000 }).handle('mail', ignoring).handle('other', ignoring);
    work.service.on(EXTEND, heartbeat({ a: 'lost' }));
    work.offer(claimedTask('a'), claimedTask('b'), claimedTask('theirs', { queue: 'other' }));
    await worker.start();
    await until(() => ends.has('a'));
    await work.clock.fire(10_000);
    await work.clock.fire(7_000);
    await until(() => ends.has('theirs'));
    expect(ends.has('b')).toBe(false);
    ends.get('theirs')!.resolve(null);
    await until(() => ends.has('b'));
  });

  it('lost is told to the service while it goes on, and once when it has ended', async () => {
    await begin('lost');
    await work.clock.fire(5_000);
    await until(() => presence().length === 1);
    await work.clock.fire(20_000);
    await until(() => presence().length === 2);
    ends.get('t0')!.resolve(null);
    await work.clock.fire(0);
    await until(() => presence().length === 3);
    expect(presence()).toEqual([
      ['w1', 1],
      ['w1', 1],
      ['w1', 0],
    ]);
  });

  it('lost tells nothing if it ends in time', async () => {
    worker = work.worker({ concurrency: 1, stuckAfterMs: 7_000 }).handle('mail', ignoring);
    work.service.on(EXTEND, heartbeat({ a: 'lost' }));
    work.offer(claimedTask('a'));
    await worker.start();
    await until(() => ends.has('a'));
    await work.clock.fire(10_000);
    await until(() => work.clock.pending.includes(7_000));
    ends.get('a')!.resolve(null);
    await work.service.received(CLAIMS, 2);
    expect([presence(), work.clock.pending, work.service.of(SETTLE)]).toEqual([[], [], []]);
  });
});
