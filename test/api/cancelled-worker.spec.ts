import { createWaybill, type Clock, type StopReason } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { systemClock } from '../../packages/client/src/clock.js';
import { startService, type RunningService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

/** Sends ten heartbeats in a third of a lease, so that the leases outlast a machine that stalls. */
const hasty: Clock = { ...systemClock, after: (ms, action) => systemClock.after(ms / 10, action) };

it('given a cancelled running task, its worker is told to stop and confirms it', async () => {
  const name = `q-${uuidv7()}`;
  const queue = service.waybill.queue(name);
  const { position } = await queue.define();
  const { id } = await queue.enqueue();
  const reasons: (StopReason | null)[] = [];
  const worker = createWaybill({ url: service.url, actor: 'worker', clock: hasty })
    .worker({ name: 'w1', leaseMs: 30_000, logger: null })
    .handle(
      name,
      (_, run) =>
        new Promise((_resolve, reject) => {
          run.signal.addEventListener('abort', () => {
            reasons.push(run.stopReason);
            reject(run.signal.reason);
          });
        }),
    );
  await worker.start();
  await service.eventAfter(position, { queue: name, type: 'TaskClaimed' });

  await service.as('ann').task(id).cancel({ reason: 'no longer needed' });

  const cancelled = await service.eventAfter(position, { queue: name, type: 'TaskCancelled' });
  await worker.stop();
  expect(reasons).toEqual(['cancel']);
  const task = service.waybill.task(id);
  expect((await task.history()).map(({ type, envelope }) => [type, envelope.actor])).toEqual([
    ['TaskEnqueued', 'anonymous'],
    ['TaskClaimed', 'w1'],
    ['TaskCancelRequested', 'ann'],
    ['TaskCancelConfirmed', 'w1'],
    ['TaskCancelled', 'w1'],
  ]);
  expect(await task.get({ minPosition: cancelled.position })).toMatchObject({ state: 'cancelled' });
});
