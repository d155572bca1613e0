import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { makeExport, makeIngest, refusalOf } from './file-queues.js';

const FILE = 'm31.fits';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('a file that is added again', () => {
  it('S0-11 has several entries on the queue, in different states', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed(FILE);
    const running = await ingest.addRunning(FILE);
    const waiting = await ingest.add(FILE);
    expect(await ingest.entriesOf(FILE)).toEqual({
      [failed]: '(F,T)',
      [running.taskId]: '(T,F)',
      [waiting.id]: '(F,F)',
    });
  });

  it('S0-12 gets a waiting entry of its own while it is in progress', async () => {
    const ingest = await makeIngest(service.waybill);
    const running = await ingest.addRunning(FILE);
    const before = await ingest.get(running.taskId);
    const added = await ingest.add(FILE, { payload: { version: 2 } });
    expect(added.status).toBe('enqueued');
    expect(added.id).not.toBe(running.taskId);
    expect(await ingest.get(added.id)).toMatchObject({ state: 'pending', payload: { version: 2 } });
    expect(await ingest.get(running.taskId)).toEqual(before);
  });

  it.each(['success', 'failure'] as const)(
    'S0-13 is dispatched exactly once after the running entry has left progress by %s',
    async (ending) => {
      const ingest = await makeIngest(service.waybill);
      const running = await ingest.addRunning(FILE);
      const { id } = await ingest.add(FILE);
      expect(await ingest.claim()).toBeNull();
      const waiting = ingest.wait();
      await (ending === 'success' ? ingest.succeed(running) : ingest.fail(running, 'disk full'));
      const second = await waiting;
      expect(second).toMatchObject({ taskId: id, attempt: 1 });
      expect(await ingest.claim()).toBeNull();
      await ingest.succeed(second!);
      expect(await ingest.claim()).toBeNull();
    },
  );

  it('S0-14 may be found unchanged by its second run, which then succeeds', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed(FILE);
    const running = await ingest.addRunning(FILE);
    const { id, position } = await ingest.add(FILE);
    await ingest.fail(running, 'disk full');
    const { state } = await ingest.succeed(await ingest.take(), { noChange: true });
    expect(state).toBe('succeeded');
    const succeeded = await service.eventAfter(position, { queue: ingest.name, type: 'TaskSucceeded' });
    expect(succeeded).toMatchObject({ stream: `task-${id}`, data: { noChange: true } });
    await service.caughtUp('clear-failures-on-success', succeeded.position);
    expect(await ingest.entriesOf(FILE)).toEqual({});
    expect((await ingest.get(failed)).state).toBe('superseded');
  });

  it('S0-14 may be found unchanged by the handler of a worker', async () => {
    const ingest = await makeIngest(service.waybill);
    const { id, position } = await ingest.add(FILE);
    const worker = service.waybill.worker({ logger: null }).handle(ingest.name, (_, run) => run.noChange());
    await worker.start();
    const { stream, data } = await service.eventAfter(position, { queue: ingest.name, type: 'TaskSucceeded' });
    expect({ stream, noChange: data.noChange }).toEqual({ stream: `task-${id}`, noChange: true });
    await worker.stop();
  });

  it.each([1, 2])('S0-15 is dispatched again whether or not the first worker read version %i', async (version) => {
    const ingest = await makeIngest(service.waybill);
    await ingest.add(FILE, { payload: { version: 1 } });
    const first = await ingest.take();
    const { id } = await ingest.add(FILE, { payload: { version: 2 } });
    expect(await ingest.claim()).toBeNull();
    await ingest.succeed(first, { result: { ingested: version } });
    expect(await ingest.take()).toMatchObject({ taskId: id, payload: { version: 2 } });
    expect(await ingest.claim()).toBeNull();
  });
});

describe('two waiting entries of a file', () => {
  it('S0-16 cannot exist: the second enqueue is answered with the first entry', async () => {
    const ingest = await makeIngest(service.waybill);
    const first = await ingest.add(FILE);
    const second = await ingest.add(FILE);
    expect(second).toMatchObject({ id: first.id, status: 'existing' });
    const [third, fourth] = await ingest.handle.enqueueMany([{ key: FILE }, { key: FILE }]);
    expect([third, fourth]).toMatchObject([
      { id: first.id, status: 'existing' },
      { id: first.id, status: 'existing' },
    ]);
    expect(await ingest.entriesOf(FILE)).toEqual({ [first.id]: '(F,F)' });
  });

  it('S0-16 cannot be created by one batch', async () => {
    const ingest = await makeIngest(service.waybill);
    const outcomes = await ingest.handle.enqueueMany([{ key: FILE }, { key: FILE }]);
    expect(outcomes.map((outcome) => 'status' in outcome && outcome.status)).toEqual(['enqueued', 'existing']);
    expect(Object.values(await ingest.entriesOf(FILE))).toEqual(['(F,F)']);
  });

  it('S0-16 cannot be created by fifty concurrent enqueues at two instances of the service', async () => {
    const ingest = await makeIngest(service.waybill);
    const second = await service.addInstance();
    for (const file of ['a.fits', 'b.fits', 'c.fits']) {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? second : service.waybill).queue(ingest.name).enqueue({}, { key: file, id: uuidv7() }),
        ),
      );
      expect(results.filter(({ status }) => status === 'enqueued')).toHaveLength(1);
      const ids = [...new Set(results.map(({ id }) => id))];
      expect(await ingest.entriesOf(file)).toEqual({ [ids[0]!]: '(F,F)' });
      expect(ids).toHaveLength(1);
    }
  });

  it('S0-17 can exist on two queues', async () => {
    const ingest = await makeIngest(service.waybill);
    const outgoing = await makeExport(service.waybill);
    expect((await ingest.add(FILE)).status).toBe('enqueued');
    expect((await outgoing.add(FILE)).status).toBe('enqueued');
    expect(Object.values(await ingest.entriesOf(FILE))).toEqual(['(F,F)']);
    expect(Object.values(await outgoing.entriesOf(FILE))).toEqual(['(F,F)']);
  });
});

describe('uniqueness', () => {
  it('S0-18 allows an entry in progress and a waiting one', async () => {
    const ingest = await makeIngest(service.waybill);
    const running = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE);
    expect(await ingest.entriesOf(FILE)).toEqual({ [running.taskId]: '(T,F)', [id]: '(F,F)' });
  });

  it('S0-18 allows a failed entry and a waiting one', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed(FILE);
    const { id } = await ingest.add(FILE);
    expect(await ingest.entriesOf(FILE)).toEqual({ [failed]: '(F,T)', [id]: '(F,F)' });
  });

  it('S0-18 allows an entry in progress, a failed and a waiting one', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed(FILE);
    const running = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE);
    expect(await ingest.entriesOf(FILE)).toEqual({ [failed]: '(F,T)', [running.taskId]: '(T,F)', [id]: '(F,F)' });
  });

  it('S0-19 allows two failed entries', async () => {
    const ingest = await makeIngest(service.waybill);
    const first = await ingest.addFailed(FILE, 'first error');
    const running = await ingest.addRunning(FILE);
    await ingest.fail(running, 'second error');
    expect(await ingest.entriesOf(FILE)).toEqual({ [first]: '(F,T)', [running.taskId]: '(F,T)' });
    expect((await ingest.failed()).map(({ error }) => error?.message)).toEqual(['second error', 'first error']);
  });

  it('S0-20 refuses to reset a failed entry while another one waits, and names that one', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed(FILE);
    const { id } = await ingest.add(FILE);
    const refusal = await refusalOf(service.waybill.task(failed).retry());
    expect(refusal).toMatchObject({
      code: 'KEY_ALREADY_WAITING',
      status: 409,
      data: { key: FILE, conflictingTaskId: id },
    });
    expect(refusal.detail).toContain(id);
    expect(await ingest.entriesOf(FILE)).toEqual({ [failed]: '(F,T)', [id]: '(F,F)' });
    expect(await ingest.take()).toMatchObject({ taskId: id });
    expect(await ingest.claim()).toBeNull();
  });
});
