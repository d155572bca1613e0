import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Item } from '@waybill/client';
import { TriggerStage } from './trigger-stage.js';
import { until } from '../../support/until.js';

let stage: TriggerStage;
beforeAll(async () => {
  stage = await TriggerStage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.set());

describe('the items of a job', () => {
  it('S4-39 are granted with it, settled one by one, and renewed with the job', async () => {
    const ids = await stage.add({ no: 1 }, { no: 2 }, { no: 3 });
    await stage.define({ batchSize: 3 });
    const [job] = await stage.nextJobs(1);
    const [claimed] = await stage.jobs.claim({ worker: 'robot-1', leaseMs: 60_000 });
    expect(claimed).toMatchObject({ taskId: job });
    expect(claimed!.items!.map(({ taskId, payload, leaseMs }) => [taskId, payload, leaseMs])).toEqual(
      ids.map((id, index) => [id, { no: index + 1 }, 60_000]),
    );
    const deadlines = async () =>
      (
        await stage.service.pool.query<{ deadline: string }>(
          'select deadline from leases where claim_id = $1 order by id',
          [job],
        )
      ).rows;
    const before = await deadlines();
    await stage.post(`/v1/tasks/${job}/extend`, { token: claimed!.token });
    const after = await deadlines();
    expect(after.map(({ deadline }, index) => deadline > before[index]!.deadline)).toEqual(after.map(() => true));
  });

  it('S4-36 count in the average from their claim for the job on', async () => {
    const [done, failed] = await stage.add(1, 2);
    await stage.define({ batchSize: 2 });
    await stage.nextJobs(1);
    const [job] = await stage.jobs.claim({ worker: 'robot-1' });
    const [one, other] = job!.items!;
    await stage.settle(one!, 'succeed');
    const { taskId, token } = other!;
    await stage.service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message: 'no' } } }]);
    const times = await Promise.all(
      [done!, failed!].map(async (id) => {
        const events = await stage.service.waybill.task(id).history();
        const succeeded = events.find(({ type }) => type === 'TaskSucceeded');
        // Decided and stored at two times, which on a busy machine are some time apart.
        if (succeeded) return (succeeded.data as { ranMs: number }).ranMs;
        const { startedAt, endedAt } = await stage.task(id);
        return Date.parse(endedAt!) - Date.parse(startedAt!);
      }),
    );
    const { position } = await stage.items.pause();
    const { processingMs } = await stage.items.stats({ minPosition: position });
    expect(processingMs.count).toBe(2);
    expect(Math.abs(processingMs.total - times[0]! - times[1]!)).toBeLessThanOrEqual(2);
  });

  it('S4-39 go with the job to its next worker, and the one before can no longer report on them', async () => {
    await stage.add(1);
    await stage.define();
    await stage.nextJobs(1);
    const [first] = await stage.jobs.claim({ worker: 'robot-1' });
    await stage.settle(first!, 'return');
    const [second] = await stage.jobs.claim({ worker: 'robot-2' });
    const [stale, current] = [first!.items![0]!, second!.items![0]!];
    expect(await stage.settle(stale, 'succeed')).toMatchObject({ problem: { code: 'LEASE_LOST' } });
    expect(await stage.settle(current, 'succeed')).toMatchObject({ state: 'succeeded' });
    expect(await stage.eventsOf(stale.taskId)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
  });

  it('S4-39 S4-16 return to their queue if the job never starts, and the next claim has another job', async () => {
    const [item] = await stage.add(1);
    await stage.define({ leaseMs: 1_000 });
    const made = await stage.nextJobs(2);
    await stage.trigger.disable();
    // On a slow machine there may be more.
    const life = (await stage.service.waybill.task(item!).history()).slice(0, 4);
    expect(life.map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired', 'TaskClaimed']);
    expect([life[1], life[3]].map((claim) => claim!.data.job)).toEqual(made.slice(0, 2));
    const claimed = await stage.jobs.claim({ worker: 'robot-1', max: 2 });
    expect(claimed.find(({ taskId }) => taskId === made[0])!.items).toEqual([]);
  });

  it('S4-39 S4-16 return to their queue if the job dies, and the next claim has another job', async () => {
    const [item] = await stage.add(1);
    await stage.define({ leaseMs: 60_000 });
    const [first] = await stage.nextJobs(1);
    const [died] = await stage.jobs.claim({ worker: 'robot-1', leaseMs: 1_000 });
    expect([died!.taskId, died!.items!.map(({ taskId }) => taskId)]).toEqual([first, [item]]);
    const claims = await until('the item to be claimed again', async () => {
      const history = await stage.service.waybill.task(item!).history();
      const jobs = history.filter(({ type }) => type === 'TaskClaimed').map(({ data }) => data['job']);
      return jobs.length > 1 ? jobs : null;
    });
    expect(claims[0]).toBe(first);
    expect(claims[1]).not.toBe(first);
    expect(await stage.settle(died!.items![0]!, 'succeed')).toMatchObject({ problem: { code: 'LEASE_LOST' } });
    await stage.trigger.disable();
  });

  it('S4-33 share their queue with workers that claim from it themselves, and nobody gets one twice', async () => {
    const ids = await stage.add(...Array.from({ length: 60 }, (_, index) => index));
    const direct = stage.service.waybill.worker({ name: 'direct', concurrency: 2, logger: null });
    const robots = stage.service.waybill.worker({ name: 'robots', concurrency: 2, logger: null });
    direct.handle(stage.items.name, () => undefined);
    robots.handle(stage.jobs.name, async (_, run) => {
      for (const item of run.items as readonly Item[]) await item.settle();
    });
    await stage.define({ batchSize: 10 });
    await stage.nextJobs(1);
    await Promise.all([direct.start(), robots.start()]);
    await until('every item to be done', async () => {
      const { counts } = await stage.items.stats();
      return counts.succeeded === ids.length ? true : null;
    });
    await Promise.all([direct.stop(), robots.stop()]);
    const histories = await Promise.all(ids.map((id) => stage.service.waybill.task(id).history()));
    expect(histories.map((history) => history.filter(({ type }) => type === 'TaskClaimed').length)).toEqual(
      ids.map(() => 1),
    );
    const by = new Set(histories.map((history) => ('job' in history[1]!.data ? 'job' : 'direct')));
    expect([...by].sort()).toEqual(['direct', 'job']);
  });
});
