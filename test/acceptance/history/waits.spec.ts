import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle, QueueWaits, TaskWait } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(): Promise<QueueHandle> {
  const queue = service.waybill.queue(`waits-${++made}`);
  await queue.define({ maxRunning: 1 });
  return queue;
}

const claim = async (queue: QueueHandle): Promise<ClaimedTask> =>
  (await queue.claim({ worker: 'w1', server: 's1', waitMs: 10_000 }))[0]!;

const settle = ({ taskId, token }: ClaimedTask) =>
  service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);

/** When the last event of the task was recorded. */
const lastEvent = async (id: string): Promise<Date> =>
  new Date((await service.waybill.task(id).history()).at(-1)!.recordedAt);

type Sums = Readonly<Record<string, number>>;

/** By cause, of what lies in the range. */
function clippedSums(waits: readonly TaskWait[], from: Date, to: Date): Sums {
  const sums: Record<string, number> = {};
  for (const { intervals } of waits)
    for (const { because, ...part } of intervals) {
      const [begin, end] = [Math.max(Date.parse(part.from), +from), Math.min(Date.parse(part.until), +to)];
      if (end > begin) sums[because] = (sums[because] ?? 0) + end - begin;
    }
  return sums;
}

const told = ({ sums }: QueueWaits): Sums => Object.fromEntries(sums.map(({ because, ms }) => [because, ms]));

/** What workers did tells both apart, and a wait that begins later knows less of what they did before. */
const ofWorkers = ({ behind = 0, worker = 0, ...others }: Sums) => ({ ...others, workers: behind + worker });

/** A queue in which tasks were held, paused, claimed one by one, tried again and left open; and all of them. */
async function night() {
  const queue = await make();
  const ids: string[] = [];
  for (const payload of [1, 2, 3, 4, 5]) ids.push((await queue.enqueue(payload)).id);
  const [begun, held, open] = ids as [string, string, string];
  await service.waybill.task(held).hold({ reason: 'audit' });
  await service.waybill.task(open).reschedule('2999-01-01T00:00:00.000Z');
  const first = await claim(queue);
  const from = await lastEvent(begun);
  await queue.pause();
  await queue.resume();
  await settle(first);
  const { taskId, token } = await claim(queue);
  await service.waybill.settle([{ taskId, token, verdict: { type: 'return' } }]);
  const last = await claim(queue);
  await settle(last);
  const to = await lastEvent(last.taskId);
  await service.waybill.task(held).release();
  await settle(await claim(queue));
  return { queue, ids, from, to };
}

const waitsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => service.waybill.task(id).wait()));

describe('where the waiting time in a queue went', () => {
  it('H-13 adds up to the waits of its tasks within the range, by cause', async () => {
    const { queue, ids, from, to } = await night();
    const waits = await queue.waits({ from, to });
    const own = await waitsOf(ids);
    const expected = clippedSums(own, from, to);
    expect(ofWorkers(told(waits))).toEqual(ofWorkers(expected));
    expect(waits.waitedMs).toBe(Object.values(expected).reduce((sum, ms) => sum + ms, 0));
    expect(waits.sums.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    const tasks = own.filter((wait) => Object.keys(clippedSums([wait], from, to)).length > 0).length;
    expect(waits).toMatchObject({ from: from.toISOString(), until: to.toISOString(), tasks, unreadable: 0 });
    expect(Object.keys(told(waits))).toEqual(expect.arrayContaining(['held', 'due', 'no-slot']));
  });

  it('H-13 has all of their waits up to the end of the range, if that begins before them', async () => {
    const { queue, ids, to } = await night();
    const waits = await queue.waits({ from: '1d', to });
    const expected = clippedSums(await waitsOf(ids), new Date(0), to);
    expect(ofWorkers(told(waits))).toEqual(ofWorkers(expected));
    expect(waits.tasks).toBe(5);
  });

  it('H-13 counts tasks that are still held, of each only what is in the range', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    await service.waybill.task(id).hold();
    const from = await lastEvent(id);
    const other = await queue.enqueue();
    await settle(await claim(queue));
    const to = await lastEvent(other.id);
    const waits = await queue.waits({ from, to });
    expect(told(waits).held).toBe(+to - +from);
    expect(waits.sums.find(({ because }) => because === 'held')).toMatchObject({ tasks: 1 });
  });

  it('H-13 is nothing where nothing waited', async () => {
    const queue = await make();
    const waits = await queue.waits({ from: '1h' });
    expect(waits).toMatchObject({ tasks: 0, waitedMs: 0, sums: [], unreadable: 0 });
  });

  it('H-04 refuses a range that ends before it begins or in the future, and a queue that there was not', async () => {
    const queue = await make();
    const backwards = await refusalOf(queue.waits({ from: 'now', to: 'now' }));
    expect([backwards.code, backwards.message]).toEqual(['INVALID_INPUT', expect.stringContaining('from')]);
    const future = await refusalOf(queue.waits({ from: '1m', to: '2999-01-01T00:00:00.000Z' }));
    expect([future.code, future.message]).toEqual(['INVALID_INPUT', expect.stringContaining('future')]);
    const absent = await refusalOf(service.waybill.queue('never').waits({ from: '1m' }));
    expect(absent.code).toBe('QUEUE_NOT_FOUND');
  });
});
