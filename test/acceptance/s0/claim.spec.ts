import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EnqueueResult, ClaimedTask } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { collect, makeExport, makeIngest, refusalOf } from './file-queues.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const files = (count: number): string[] => Array.from({ length: count }, (_, index) => `m${index + 1}.fits`);
const idsOf = (entries: readonly EnqueueResult[]): string[] => entries.map(({ id }) => id);

describe('the queues of files', () => {
  it('S0-01 are separate, and an entry appears in its own only', async () => {
    const ingest = await makeIngest(service.waybill);
    const outgoing = await makeExport(service.waybill);
    const { id } = await ingest.add('m31.fits');
    expect(await outgoing.entriesOf('m31.fits')).toEqual({});
    expect(await outgoing.claim()).toBeNull();
    const other = await outgoing.add('m31.fits');
    expect(await ingest.entriesOf('m31.fits')).toEqual({ [id]: '(F,F)' });
    expect(await outgoing.entriesOf('m31.fits')).toEqual({ [other.id]: '(F,F)' });
    expect(await ingest.take()).toMatchObject({ taskId: id, queue: ingest.name, key: 'm31.fits' });
    expect(await outgoing.take()).toMatchObject({ taskId: other.id, queue: outgoing.name, key: 'm31.fits' });
    expect(await ingest.claim()).toBeNull();
  });

  it('S0-01 have an entry type each, and refuse an entry of another one', async () => {
    const queues = {
      IngestQueueEntry: await makeIngest(service.waybill),
      ExportQueueEntry: await makeExport(service.waybill),
    };
    for (const [type, queue] of Object.entries(queues)) {
      const { id } = await queue.add('m31.fits');
      expect(await queue.get(id)).toMatchObject({ kind: type });
      expect(await queue.take()).toMatchObject({ taskId: id, kind: type });
      for (const kind of Object.keys(queues).filter((other) => other !== type)) {
        const refusal = await refusalOf(queue.add('m33.fits', { kind }));
        expect(refusal).toMatchObject({ code: 'KIND_NOT_ACCEPTED', status: 422, data: { kind, kinds: [type] } });
      }
      expect(await queue.entriesOf('m33.fits')).toEqual({});
    }
  });

  it('S0-01 share no entry, and have none without a file name', async () => {
    const [ingest, outgoing] = [await makeIngest(service.waybill), await makeExport(service.waybill)];
    const { id } = await ingest.add('m31.fits');
    expect(await refusalOf(outgoing.add('m31.fits', { id }))).toMatchObject({ code: 'TASK_EXISTS', status: 409 });
    expect(await refusalOf(ingest.add('m33.fits', { id }))).toMatchObject({ code: 'TASK_EXISTS', status: 409 });
    expect(await refusalOf(ingest.handle.enqueue({}))).toMatchObject({ code: 'KEY_REQUIRED', status: 422 });
    expect(await outgoing.claim()).toBeNull();
    expect(await ingest.take()).toMatchObject({ taskId: id, key: 'm31.fits' });
  });

  it('S0-02 store the file name, priority, both flags and the error text of an entry', async () => {
    const ingest = await makeIngest(service.waybill);
    const { id } = await ingest.add('m31.fits', { priority: 7 });
    expect(await ingest.get(id)).toMatchObject({ key: 'm31.fits', priority: 7, state: 'pending', error: null });
    const claimedTask = await ingest.take();
    expect(await ingest.get(id)).toMatchObject({ key: 'm31.fits', priority: 7, state: 'running', error: null });
    await ingest.fail(claimedTask, 'no such instrument');
    const error = { message: 'no such instrument', class: 'business' };
    expect(await ingest.get(id)).toMatchObject({ key: 'm31.fits', priority: 7, state: 'failed', error });
  });

  it('S0-03 are served by several workers at the same time', async () => {
    const [WORKERS, ENTRIES] = [4, 10];
    const ingest = await makeIngest(service.waybill);
    await ingest.handle.enqueueMany(files(ENTRIES).map((key) => ({ key })));
    const started: string[] = [];
    const allBusy = deferred();
    const goOn = deferred();
    const allDone = deferred();
    const workers = Array.from({ length: WORKERS }, (_, index) =>
      service.waybill.worker({ name: `w${index}`, concurrency: 1, logger: null }).handle(ingest.name, async (task) => {
        started.push(task.key!);
        if (started.length === WORKERS) allBusy.resolve();
        await goOn.promise;
        if (started.length === ENTRIES) allDone.resolve();
      }),
    );
    await Promise.all(workers.map((worker) => worker.start()));
    await allBusy.promise;
    const running = await collect(service.waybill.tasks.list({ queue: ingest.name, state: 'running' }));
    expect(new Set(running.map(({ worker }) => worker)).size).toBe(WORKERS);
    expect(running.map(({ key }) => key).sort()).toEqual(started.slice(0, WORKERS).sort());
    expect(await collect(service.waybill.tasks.list({ queue: ingest.name, state: 'pending' }))).toHaveLength(
      ENTRIES - WORKERS,
    );
    goOn.resolve();
    await allDone.promise;
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(started.toSorted()).toEqual(files(ENTRIES).toSorted());
  });
});

describe('a claim', () => {
  it('S0-04 finds a new entry neither in progress nor failed', async () => {
    const ingest = await makeIngest(service.waybill);
    const { id, status } = await ingest.add('m31.fits');
    expect(status).toBe('enqueued');
    expect(await ingest.flags(id)).toBe('(F,F)');
    expect(await ingest.get(id)).toMatchObject({ attempt: 0, worker: null, startedAt: null, error: null });
  });

  it('S0-05 returns the eligible entry of the highest priority, and the oldest of those', async () => {
    const ingest = await makeIngest(service.waybill);
    const priorities = [0, 5, 5, 10, -1, 0];
    const ids: string[] = [];
    for (const [index, priority] of priorities.entries())
      ids.push((await ingest.add(`${index}.fits`, { priority })).id);
    const taken: string[] = [];
    for (let claimedTask = await ingest.claim(); claimedTask; claimedTask = await ingest.claim())
      taken.push(claimedTask.taskId);
    expect(taken).toEqual([3, 1, 2, 0, 5, 4].map((index) => ids[index]));
  });

  it('S0-05 returns a more urgent entry that arrived after the last claim first, and of equals the older one', async () => {
    const ingest = await makeIngest(service.waybill);
    const add = async (file: string, priority: number) => (await ingest.add(file, { priority })).id;
    const [first, second] = [await add('1.fits', 5), await add('2.fits', 5)];
    expect((await ingest.take()).taskId).toBe(first);
    const [urgent, equal] = [await add('3.fits', 6), await add('4.fits', 5)];
    expect((await ingest.take()).taskId).toBe(urgent);
    const lowly = await add('5.fits', 4);
    expect((await ingest.take()).taskId).toBe(second);
    const last = await add('6.fits', 7);
    const rest = await ingest.handle.claim({ worker: 'w2', max: 10 });
    expect(rest.map(({ taskId }) => taskId)).toEqual([last, equal, lowly]);
  });

  it('S0-06 gives an entry to only one of fifty concurrent claims', async () => {
    const ingest = await makeIngest(service.waybill);
    const second = await service.addInstance();
    for (const waiting of [1, 1, 1, 7]) {
      const ids = idsOf(await Promise.all(files(waiting).map((file) => ingest.add(file))));
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? second : service.waybill).queue(ingest.name).claim({ worker: `w${index}` }),
        ),
      );
      const claimedTasks = claims.flat();
      expect(claimedTasks.map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted());
      expect(claims.filter(({ length }) => length === 0)).toHaveLength(50 - waiting);
      await Promise.all(claimedTasks.map((claimedTask) => ingest.succeed(claimedTask)));
    }
  });

  it('S0-07 selects no entry that is in progress', async () => {
    const ingest = await makeIngest(service.waybill);
    const ids = idsOf(await Promise.all(files(5).map((file) => ingest.add(file))));
    const inProgress = await ingest.handle.claim({ worker: 'w1', max: 3 });
    const rest = await ingest.handle.claim({ worker: 'w2', max: 1000 });
    expect(inProgress).toHaveLength(3);
    expect(rest).toHaveLength(2);
    expect([...inProgress, ...rest].map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted());
    expect(await ingest.handle.claim({ worker: 'w3', max: 1000 })).toEqual([]);
  });

  it.each(['(T,F)', '(T,T)'])('S0-08 excludes a file that has an entry in progress, be it %s', async (flags) => {
    const ingest = await makeIngest(service.waybill);
    const running = await ingest.addRunning('m31.fits');
    if (flags === '(T,T)') await ingest.report(running, 'checksum differs');
    expect(await ingest.flags(running.taskId)).toBe(flags);
    const { id } = await ingest.add('m31.fits', { priority: 100 });
    expect(await ingest.handle.claim({ worker: 'w2', max: 1000 })).toEqual([]);
    expect(await ingest.get(id)).toMatchObject({ state: 'pending', waitingFor: 'key' });
  });

  it('S0-09 selects no entry that has failed', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed('m31.fits');
    const { id } = await ingest.add('m33.fits');
    const claimedTasks: ClaimedTask[] = await ingest.handle.claim({ worker: 'w1', max: 1000 });
    expect(claimedTasks.map(({ taskId }) => taskId)).toEqual([id]);
    expect(await ingest.flags(failed)).toBe('(F,T)');
  });

  it('S0-10 skips the entry of a busy file and returns one of lower priority', async () => {
    const ingest = await makeIngest(service.waybill);
    await ingest.addRunning('x.fits');
    await ingest.add('x.fits', { priority: 10 });
    const { id } = await ingest.add('y.fits', { priority: 1 });
    expect(await ingest.take('w2')).toMatchObject({ taskId: id, key: 'y.fits' });
    expect(await ingest.claim('w3')).toBeNull();
  });
});

function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
