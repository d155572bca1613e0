import type { StopReason } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { startService, type RunningService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

it('asks the worker of a cancelled task to stop, and the worker confirms it', async () => {
  const name = `q-${uuidv7()}`;
  const queue = service.waybill.queue(name);
  const { position } = await queue.define();
  const { id } = await queue.enqueue();
  const reasons: (StopReason | null)[] = [];
  const worker = service
    .as('worker')
    .worker({ name: 'w1', leaseMs: 3_000, logger: null })
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
