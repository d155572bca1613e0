import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EventView,
  type QueueHandle,
  type StepHandlers,
  steps,
  type Worker,
  type WorkerOptions,
} from '@waybill/client';
import { Child, killAll } from '../../chaos/child.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

let service: RunningService;
let queue: QueueHandle;
let seen: string[];
const workers: Worker[] = [];
let made = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await killAll();
  await service.stop();
});
beforeEach(async () => {
  seen = [];
  queue = service.waybill.queue(`stepped-${++made}`);
  await queue.define({ steps: ['download', 'checksum', 'record'], leaseMs: 3_000 });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(name: string, handlers: StepHandlers, options: WorkerOptions = {}): Promise<Worker> {
  const worker = service.waybill.worker({ name, logger: null, ...options }).handle(queue, steps(handlers));
  workers.push(worker);
  await worker.start();
  return worker;
}

const get = (id: string) => service.waybill.task(id).get();

const becomes = (id: string, state: string): Promise<true> =>
  until(`task ${id} to be ${state}`, async () => ((await get(id)).state === state ? true : null));

/** Who did what: the steps that were completed, and the ends of claims. */
async function storyOf(id: string): Promise<string[]> {
  let worker = '';
  return (await service.waybill.task(id).history()).map((event: EventView) => {
    const data = event.data as { worker?: string; step?: string; then?: string };
    worker = data.worker ?? worker;
    return event.type === 'TaskStepCompleted' ? `${worker} ${data.step} ${data.then}` : event.type;
  });
}

describe('a worker with a handler for each step', () => {
  it('S2-43 runs them in order under one claim, and each gets the data of those before', async () => {
    const note = (task: { step: string | null; data: unknown; lastSuccessfulStep: string | null }) =>
      seen.push(`${task.step} after ${task.lastSuccessfulStep}: ${JSON.stringify(task.data)}`);
    await work('w1', {
      download: async (task, run) => {
        note(task);
        await run.record({ whole: ['a.tif'], draft: true });
        return run.done({ data: { bytes: 4_711, draft: null } });
      },
      checksum: (task, run) => {
        note(task);
        return run.done({ mark: false, result: 'sha256' });
      },
      record: (task) => {
        note(task);
        return { row: 7 };
      },
    });
    const { id } = await queue.enqueue({});
    await becomes(id, 'succeeded');
    expect(seen).toEqual([
      'download after null: {}',
      'checksum after download: {"whole":["a.tif"],"bytes":4711}',
      'record after download: {"whole":["a.tif"],"bytes":4711}',
    ]);
    expect(await storyOf(id)).toEqual([
      'TaskEnqueued',
      'TaskClaimed',
      'TaskDataRecorded',
      'w1 download continue',
      'w1 checksum continue',
      'w1 record finish',
      'TaskSucceeded',
    ]);
    expect(await get(id)).toMatchObject({ attempt: 1, result: { row: 7 }, data: { whole: ['a.tif'], bytes: 4_711 } });
  });

  it('S2-42 fails the task at the step whose handler fails, and a retry begins there with its data', async () => {
    let tries = 0;
    await work('w1', {
      download: (_, run) => run.done({ data: { bytes: 4_711 } }),
      checksum: (task) => {
        seen.push(JSON.stringify(task.data));
        if (++tries === 1) throw new Error("Expected 'b.tif' to be whole");
      },
      record: () => 'done',
    });
    const { id } = await queue.enqueue({});
    await becomes(id, 'failed');
    expect(await get(id)).toMatchObject({ step: 'checksum', lastStep: 'download', error: { message: /b.tif/ } });
    await service.waybill.task(id).retry();
    await becomes(id, 'succeeded');
    expect(seen).toEqual(['{"bytes":4711}', '{"bytes":4711}']);
  });

  it('S2-44 fails the task at its step if the data are too large, and keeps those before', async () => {
    await work('w1', {
      download: (_, run) => run.done({ data: { a: 1 } }),
      checksum: (_, run) => run.done({ data: { big: 'x'.repeat(65_536) } }),
      record: () => seen.push('record'),
    });
    const { id } = await queue.enqueue({});
    await becomes(id, 'failed');
    expect(await get(id)).toMatchObject({ step: 'checksum', data: { a: 1 }, error: { message: /65536/ } });
    expect(seen).toEqual([]);
  });
});

describe('a worker of some steps', () => {
  it('S2-46 claims only tasks that are at one of them, and hands the task on', async () => {
    await work('inventory', { checksum: () => void seen.push('checksum') });
    const ids = [(await queue.enqueue(1)).id, (await queue.enqueue(2)).id];
    const downloads = await work('repository', {
      download: (task, run) => run.done({ data: { of: task.payload as number } }),
      record: (task) => ({ recorded: task.data.of as number }),
    });
    for (const id of ids) await becomes(id, 'succeeded');
    await downloads.stop();
    for (const [index, id] of ids.entries()) {
      expect(await storyOf(id)).toEqual([
        'TaskEnqueued',
        'TaskClaimed',
        'repository download offer',
        'TaskClaimed',
        'inventory checksum offer',
        'TaskClaimed',
        'repository record finish',
        'TaskSucceeded',
      ]);
      expect(await get(id)).toMatchObject({ result: { recorded: index + 1 } });
    }
  });

  it('S2-46 hears that a step does not exist, and works once the queue has it', async () => {
    const told: unknown[] = [];
    const worker = service.waybill.worker({ logger: null }).handle(queue, steps({ publish: () => 'done' }));
    worker.on('unavailable', ({ error }) => void told.push(error));
    workers.push(worker);
    await worker.start();
    await until('the refusal', async () => (told.length > 0 ? true : null));
    expect(told[0]).toMatchObject({ code: 'STEP_UNKNOWN' });
    await queue.changePolicy({ steps: ['publish'] }, { ifVersion: 1 });
    const { id } = await queue.enqueue({});
    await becomes(id, 'succeeded');
  });
});

describe('between two steps', () => {
  it('S2-53 given a worker that is killed, the next one begins at the step that was not completed, with its data', async () => {
    const child = new Child('test/acceptance/s2/step-process.ts', { SERVICE_URL: service.url, QUEUE: queue.name });
    const { id } = await queue.enqueue({});
    await child.told(/^in checksum/);
    await child.kill();
    await work('w2', {
      download: () => void seen.push('download'),
      checksum: (task) => void seen.push(`checksum ${JSON.stringify(task.data)}`),
      record: () => void seen.push('record'),
    });
    await becomes(id, 'succeeded');
    expect(seen).toEqual(['checksum {"whole":["a.tif"],"bytes":4711}', 'record']);
    expect(await storyOf(id)).toContain('TaskLeaseExpired');
  });

  it('S2-53 given a worker that stops, another one goes on, and no step runs twice', async () => {
    let stopped: Promise<unknown> | undefined;
    const first: Worker = await work('w1', {
      download: (_, run) => {
        seen.push('w1 download');
        stopped = first.stop();
        return run.done({ data: { bytes: 1 } });
      },
      checksum: () => void seen.push('w1 checksum'),
    });
    const { id } = await queue.enqueue({});
    await until('the stop', async () => (stopped === undefined ? null : true));
    await stopped;
    await work('w2', { checksum: () => void seen.push('w2 checksum'), record: () => void seen.push('w2 record') });
    await becomes(id, 'succeeded');
    expect(seen).toEqual(['w1 download', 'w2 checksum', 'w2 record']);
    expect((await storyOf(id)).slice(1, 3)).toEqual(['TaskClaimed', 'w1 download offer']);
  });

  it('S2-53 given a cancellation, the step that ends is recorded and no other begins', async () => {
    await work('w1', {
      download: async (task, run) => {
        await service.waybill.task(task.taskId).cancel();
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        return run.done({ data: { bytes: 1 } });
      },
      checksum: () => void seen.push('checksum'),
    });
    const { id } = await queue.enqueue({});
    await becomes(id, 'cancelled');
    expect(await get(id)).toMatchObject({ lastStep: 'download', data: { bytes: 1 } });
    expect(seen).toEqual([]);
  });
});
