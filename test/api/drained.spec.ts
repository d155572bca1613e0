import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClaimedTask, NotDrained, type QueueHandle } from '@waybill/client';
import { runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let queue: QueueHandle;
beforeAll(async () => {
  service = await startService();
  queue = service.waybill.queue('mail');
  await queue.define();
});
afterEach(() => service.waybill.system.resume());
afterAll(() => service.stop());

async function running(): Promise<ClaimedTask> {
  await queue.enqueue();
  const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
  return task!;
}

const end = ({ taskId, token }: ClaimedTask) =>
  service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);

const patient = { timeoutMs: 120_000 };
const thrownBy = (waits: Promise<unknown>): Promise<unknown> => waits.catch((thrown: unknown) => thrown);

describe('the wait until a drained system is quiet', () => {
  it('is over at once if nothing runs', async () => {
    await service.waybill.system.drain();
    expect(await service.waybill.system.drained(patient)).toMatchObject({ state: 'draining', running: 0 });
  });

  it('is over when the last task has ended, and not before', async () => {
    const [one, other] = [await running(), await running()];
    await service.waybill.system.drain();
    const order: string[] = [];
    const waits = service.waybill.system.drained(patient).then((system) => (order.push('drained'), system));
    await end(one);
    const late = await thrownBy(service.waybill.system.drained({ timeoutMs: 2_000 }));
    order.push('still runs');
    expect(late).toMatchObject({
      message: 'Expected nothing to run any more, but 1 task still runs',
      running: 1,
    });
    await end(other);
    expect(await waits).toMatchObject({ running: 0 });
    expect(order).toEqual(['still runs', 'drained']);
  });

  it('is given up if the system does not drain, or somebody resumes it', async () => {
    const task = await running();
    const why = { name: 'NotDrained', message: expect.stringContaining('nobody drains it') };
    await expect(service.waybill.system.drained(patient)).rejects.toMatchObject(why);
    await service.waybill.system.drain();
    const waits = thrownBy(service.waybill.system.drained(patient));
    await expect(service.waybill.system.drained({ timeoutMs: 2_000 })).rejects.toThrow(NotDrained);
    await service.waybill.system.resume();
    expect(await waits).toMatchObject(why);
    await end(task);
  });

  it('on the command line exits with 1 if a task still runs, and with 0 once nothing does', async () => {
    const task = await running();
    const late = await runCli(service.url, 'drain --wait 1');
    expect([late.code, late.err]).toEqual([1, expect.stringContaining('but 1 task still runs')]);
    await end(task);
    expect(await runCli(service.url, 'drain --wait 60')).toMatchObject({ code: 0 });
  });

  it('is given up when its caller gives up', async () => {
    const task = await running();
    await service.waybill.system.drain();
    const caller = new AbortController();
    const waits = service.waybill.system.drained({ signal: caller.signal });
    caller.abort(new Error('enough'));
    await expect(waits).rejects.toThrow('enough');
    await end(task);
  });
});

describe('the wait until nothing of a queue runs', () => {
  afterEach(() => queue.resume());

  it('is over when its last task has ended, whatever other queues do', async () => {
    const other = service.waybill.queue('other');
    await other.define();
    await other.enqueue();
    const [elsewhere] = await other.claim({ worker: 'w1', waitMs: 30_000 });
    const task = await running();
    await queue.pause();
    await expect(queue.drained({ timeoutMs: 2_000 })).rejects.toMatchObject({ name: 'NotDrained', running: 1 });
    const waits = queue.drained(patient);
    await end(task);
    expect(await waits).toMatchObject({ name: 'mail', state: 'paused' });
    await end(elsewhere!);
  });

  it('is given up if the queue gives tasks out', async () => {
    await expect(queue.drained(patient)).rejects.toThrow("but queue 'mail' gives tasks out: pause it first");
  });

  it('on the command line exits with 1 if a task still runs, and with 0 once nothing does', async () => {
    const task = await running();
    expect((await runCli(service.url, 'queue pause mail --wait 1')).code).toBe(1);
    await end(task);
    expect((await runCli(service.url, 'queue pause mail --wait 60')).code).toBe(0);
  });
});
