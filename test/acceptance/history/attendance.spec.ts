import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView, QueueHandle } from '@waybill/client';
import { explained, waitedFor } from '@waybill/client/words';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const PAST = [
  `update tasks set enqueued_at = enqueued_at - interval '2 minutes' where queue = $1`,
  `update worker_presence set seen_at = seen_at - interval '2 minutes' where queue = $1`,
];

/** Two minutes go by without a worker. The event with which that is recorded after the position. */
async function deserted({ name }: QueueHandle, after: string): Promise<EventView> {
  for (const sql of PAST) await service.pool.query(sql, [name]);
  return service.eventAfter(after, { queue: name, type: 'QueueUnattended' });
}

/** A worker takes the first task. The event with which it is recorded that somebody asks again. */
async function served(queue: QueueHandle, after: string): Promise<EventView> {
  const { taskId, token } = (await queue.claim({ worker: 'w1', waitMs: 10_000 }))[0]!;
  await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
  return service.eventAfter(after, { queue: queue.name, type: 'QueueAttended' });
}

const whyAt = (id: string, position: string) => service.waybill.asOf(position).task(id).why();

describe('a queue whose workers were gone', () => {
  it('H-12 says so as of then, and since when', async () => {
    const queue = service.waybill.queue('deserted');
    await queue.define();
    const first = await queue.enqueue();
    const never = await deserted(queue, first.position!);
    const back = await served(queue, never.position);
    const second = await queue.enqueue();
    const gone = await deserted(queue, second.position!);
    await served(queue, gone.position);
    const { since } = gone.data as { since: string };

    const fresh = await whyAt(first.id, first.position!);
    expect(fresh.reasons).toEqual([{ because: 'worker', unattended: false, lastPolledAt: null }]);
    expect(fresh.asOf!.notRecorded).toEqual(['rank', 'lastPolledAt', 'unattended', 'quarantined']);
    const alone = await whyAt(first.id, never.position);
    expect(alone.reasons).toEqual([{ because: 'worker', unattended: true, lastPolledAt: null }]);
    expect(alone.asOf!.notRecorded).toEqual(['rank', 'quarantined']);
    const waits = await whyAt(second.id, second.position!);
    expect(waits.reasons).toEqual([{ because: 'worker', unattended: false, lastPolledAt: null }]);
    expect(waits.asOf!.notRecorded).toEqual(['rank', 'lastPolledAt', 'quarantined']);
    const again = await whyAt(second.id, gone.position);
    expect(again.reasons).toEqual([{ because: 'worker', unattended: true, lastPolledAt: since }]);
    expect(explained(again)).toEqual([
      `It is ready to run, but no worker claims from its queue (the last claim was at ${since}).`,
    ]);
    expect(Date.parse(since)).toBeLessThan(Date.parse(back.recordedAt));
  });

  it('H-12 splits a wait into times with nobody and times of which nothing was recorded', async () => {
    const queue = service.waybill.queue('left');
    await queue.define();
    const first = await queue.enqueue();
    const unknown = await service.waybill.task(first.id).wait();
    expect(unknown.asOf.notRecorded).toEqual(['lastPolledAt', 'unattended']);
    const never = await deserted(queue, first.position!);
    const back = await served(queue, never.position);
    const wait = await service.waybill.task(first.id).wait();
    const alone = { because: 'worker', unattended: true, lastPolledAt: null };
    expect(wait.intervals.map(({ reason }) => reason)).toEqual([alone]);
    expect(wait.asOf.notRecorded).toEqual([]);
    const second = await queue.enqueue();
    const gone = await deserted(queue, back.position);
    await served(queue, gone.position);
    const { since } = gone.data as { since: string };
    const later = (await service.waybill.task(second.id).wait()).intervals.at(-1)!;
    expect(later.reason).toEqual({ because: 'worker', unattended: true, lastPolledAt: since });
    expect(waitedFor(later)).toBe(`no worker asked since ${since}`);
  });
});
