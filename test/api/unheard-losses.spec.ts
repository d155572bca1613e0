import type { ClaimedTask } from '@waybill/client';
import { passLease } from '../support/leases.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

/** Lets the lease end, and resolves with the event that says so. */
async function lost({ taskId, token }: ClaimedTask) {
  const { position } = await service.waybill.task(taskId).get();
  await passLease(service.pool, token.split('.')[0]!);
  return service.eventAfter(position, { task: taskId, type: 'TaskLeaseExpired' });
}

async function take(queue: string, max = 1, policy = {}): Promise<ClaimedTask[]> {
  const handle = service.waybill.queue(queue);
  await handle.define(policy);
  for (let n = 0; n < max; n++) await handle.enqueue();
  return handle.claim({ worker: 'w1', max, leaseMs: 3_600_000 });
}

const heartbeat = (tasks: readonly ClaimedTask[]) =>
  service.waybill.extend(tasks.map(({ taskId, token }) => ({ taskId, token })));

const losses = async (queue: string) => {
  const { failuresByClass, unheardLosses } = await service.waybill.queue(queue).stats();
  return { lost: failuresByClass['lost'], unheardLosses };
};

describe('lost attempts for which no heartbeat came since the claim', () => {
  it('are told from others by the event, the statistics and the metric', async () => {
    const [silent, worked] = await take('mail', 2);
    await heartbeat([worked!]);
    expect((await lost(silent!)).data).toMatchObject({ worker: 'w1', unheard: true });
    const { data, position } = await lost(worked!);
    expect(data).not.toHaveProperty('unheard');
    await service.caughtUp('queue-stats', position);
    expect(await losses('mail')).toEqual({ lost: 2, unheardLosses: 1 });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('waybill_unheard_losses_total{queue="mail"} 1\n');
    expect(metrics).toContain('waybill_attempt_failures_total{queue="mail",class="lost"} 2\n');
  });

  it('count for maxLost like others, because what ends workers may end them before their first heartbeat', async () => {
    const [task] = await take('deadly', 1, { maxLost: 0 });
    const { position } = await lost(task!);
    await service.eventAfter(position, { type: 'TaskFailed' });
    expect((await service.waybill.task(task!.taskId).get()).error).toMatchObject({ class: 'lost' });
  });

  it('are told in serial queues, whose next consumer ends them', async () => {
    const [task] = await take('serial', 1, { concurrency: 'serial', takeoverSeconds: 1 });
    const { position } = await service.waybill.task(task!.taskId).get();
    await passLease(service.pool, task!.token.split('.')[0]!);
    await service.waybill.queue('serial').claim({ worker: 'w2', server: 's2', waitMs: 60_000 });
    const { data } = await service.eventAfter(position, { queue: 'serial', type: 'TaskLeaseExpired' });
    expect(data).toMatchObject({ unheard: true });
  });
});
