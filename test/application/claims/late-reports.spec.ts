import { expect, it, jest } from '@jest/globals';
import { LateReports } from '../../../src/application/claims/late-reports.js';
import { DeciderRunner } from '../../../src/application/kernel/decider-runner.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { MemoryEventStore } from '../../support/memory-event-store/memory-event-store.js';
import { NO_PAYLOAD_STORE } from '../../support/no-payload-store.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { defineQueue, enqueue } from '../../support/events.js';

const CONTEXT = { actor: 'w1', correlationId: 'test' };

it('looks at the first late report of a claim only, however often the worker repeats it', async () => {
  const store = new MemoryEventStore(new LocalWakeUps());
  const task = enqueue('mail');
  await store.append([defineQueue('mail', { concurrency: 'serial' }), task]);
  const late = new LateReports(new DeciderRunner(store, NO_PAYLOAD_STORE), new QueueDirectory(store));
  const report = { taskId: taskIdOf(task.stream), token: '1.00000000-0000-4000-8000-000000000000', report: 'extend' };
  const reads = jest.spyOn(store, 'readStreams');
  await late.record([report], CONTEXT);
  expect(reads).toHaveBeenCalled();
  reads.mockClear();
  for (let again = 0; again < 100; again++) await late.record([report], CONTEXT);
  expect(reads).not.toHaveBeenCalled();
  await late.record([{ ...report, token: '2.00000000-0000-4000-8000-000000000000' }], CONTEXT);
  expect(reads).toHaveBeenCalled();
});
