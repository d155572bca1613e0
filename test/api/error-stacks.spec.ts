import type { EventView } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

/** Runs one task with a handler that reports an error and then throws. Returns its events. */
async function failed(queue: string): Promise<readonly EventView[]> {
  const { waybill } = service;
  const { id, position } = await waybill.queue(queue).enqueue({});
  const worker = waybill.worker({ logger: null }).handle(queue, async (_, run) => {
    await run.reportError(new Error('slow', { cause: new Error('secret cause') }));
    throw new TypeError('not sent', { cause: new Error('secret cause') });
  });
  await worker.start();
  for await (const { type } of waybill.events({ queue, after: position, follow: true }))
    if (type === 'TaskFailed') break;
  await worker.stop();
  return waybill.task(id).history();
}

const taskOf = ({ stream }: EventView): string => stream.slice('task-'.length);
const errorsIn = (events: readonly EventView[]): Record<string, any> =>
  Object.fromEntries(events.flatMap(({ type, data }: any) => (data.error ? [[type, data.error]] : [])));

describe('an error that a handler throws', () => {
  it('is recorded once with its stack and its cause, and shown with the task', async () => {
    await service.waybill.queue('mail').define();
    const events = await failed('mail');
    const stack = expect.stringMatching(
      /^TypeError: not sent\n +at [^]*error-stacks\.spec\.ts[^]*\nCaused by: Error: secret cause\n +at /,
    );
    const error = { message: 'not sent', class: 'application' };
    expect(errorsIn(events)).toEqual({
      TaskErrorReported: {
        ...error,
        message: 'slow',
        details: { stack: expect.stringMatching(/^Error: slow\n +at /) },
      },
      TaskAttemptFailed: { ...error, details: { stack } },
      TaskFailed: { ...error, frame: 'error-stacks.spec.ts' },
    });
    const [{ id }] = [{ id: taskOf(events[0]!) }];
    expect((await service.waybill.task(id).get()).error).toEqual({ ...error, details: { stack } });
    const [listed] = await page(service.waybill.queue('mail').failed());
    expect(listed!.error).toEqual(error);
  });

  it('is recorded without them if the policy of its queue says so', async () => {
    await service.waybill.queue('quiet').define({ errorStacks: false });
    const events = await failed('quiet');
    const error = { message: 'not sent', class: 'application' };
    expect(errorsIn(events)).toEqual({
      TaskErrorReported: { ...error, message: 'slow' },
      TaskAttemptFailed: error,
      TaskFailed: error,
    });
    expect((await service.waybill.task(taskOf(events[0]!)).get()).error).toEqual(error);
    expect(JSON.stringify(await page(service.waybill.events({ queue: 'quiet' })))).not.toMatch(/secret cause|spec\.ts/);
  });

  it('is shown for the last attempt only', async () => {
    const { waybill } = service;
    const queue = waybill.queue('again');
    await queue.define();
    const { id } = await queue.enqueue({});
    const fail = async (details?: object): Promise<void> => {
      const [claimedTask] = await queue.claim({ worker: 'w', waitMs: 60_000 });
      const { taskId, token } = claimedTask!;
      await waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message: 'm', details } } }]);
    };
    await fail({ stack: 'first' });
    expect((await waybill.task(id).get()).error).toMatchObject({ details: { stack: 'first' } });
    await waybill.task(id).retry();
    expect((await waybill.task(id).get()).error).toBeNull();
    await fail();
    expect((await waybill.task(id).get()).error).toEqual({ message: 'm', class: 'application' });
  });
});

async function page<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
