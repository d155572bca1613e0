import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../../support/running-service.js';
import { collect, type FileQueue, makeExport, makeIngest, refusalOf } from './file-queues.js';

const FILE = 'm31.fits';
/** The shortest allowed lease. */
const LEASE_MS = 1_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Resolves when the reaction to the success is done. */
const followed = (position: string): Promise<void> => service.caughtUp('clear-failures-on-success', position);

describe('a success', () => {
  it('S0-37 removes the entry from the queue', async () => {
    const ingest = await makeIngest(service.waybill);
    const claimedTask = await ingest.addRunning(FILE);
    const { position, state } = await ingest.succeed(claimedTask);
    expect(state).toBe('succeeded');
    expect(await ingest.entriesOf(FILE)).toEqual({});
    expect(await ingest.claim()).toBeNull();
    const { counts } = await ingest.handle.stats({ minPosition: position });
    expect(Object.entries(counts).filter(([, count]) => count > 0)).toEqual([['succeeded', 1]]);
  });

  it('S0-38 removes all failed entries of its file in that queue, however old, and no others', async () => {
    const ingest = await makeIngest(service.waybill);
    const outgoing = await makeExport(service.waybill);
    const oldest = await ingest.addFailed(FILE, 'first error');
    const older = await ingest.addFailed(FILE, 'second error');
    const otherFile = await ingest.addFailed('m33.fits');
    const otherQueue = await outgoing.addFailed(FILE);
    const running = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE);
    await ingest.fail(running, 'fails after the next one was added');
    const next = await ingest.take();
    expect(next.taskId).toBe(id);
    expect(await ingest.failed()).toHaveLength(4);
    const { position } = await ingest.succeed(next);
    await followed(position);
    expect(await ingest.entriesOf(FILE)).toEqual({});
    expect((await ingest.failed()).map((failed) => failed.id)).toEqual([otherFile]);
    for (const gone of [oldest, older, running.taskId]) expect((await ingest.get(gone)).state).toBe('superseded');
    expect(await outgoing.flags(otherQueue)).toBe('(F,T)');
  });

  it('S0-39 keeps a waiting entry of its file', async () => {
    const ingest = await makeIngest(service.waybill);
    await ingest.addFailed(FILE);
    const running = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE, { payload: { version: 2 } });
    const { position } = await ingest.succeed(running);
    await followed(position);
    expect(await ingest.entriesOf(FILE)).toEqual({ [id]: '(F,F)' });
    expect(await ingest.take()).toMatchObject({ taskId: id, payload: { version: 2 } });
  });

  it('S0-40 keeps the errors of the removed entries readable', async () => {
    const ingest = await makeIngest(service.waybill);
    const removed = await ingest.addFailed(FILE, 'no such instrument: WIFRC');
    const { position } = await ingest.succeed(await ingest.addRunning(FILE));
    await followed(position);
    expect(await ingest.entriesOf(FILE)).toEqual({});
    const error = { message: 'no such instrument: WIFRC', class: 'business' };
    const history = await service.waybill.task(removed).history();
    expect(history.filter(({ type }) => type === 'TaskFailed')).toMatchObject([{ data: { error } }]);
    expect(history.at(-1)).toMatchObject({ type: 'TaskSuperseded' });
    const failures = await collect(service.waybill.events({ queue: ingest.name, type: 'TaskFailed' }));
    expect(failures).toMatchObject([{ stream: `task-${removed}`, data: { key: FILE, error } }]);
    const superseded = await collect(service.waybill.tasks.list({ queue: ingest.name, state: 'superseded' }));
    expect(superseded).toMatchObject([{ id: removed, error }]);
  });

  it('S0-43 may follow an error that was reported before it', async () => {
    const ingest = await makeIngest(service.waybill);
    const failed = await ingest.addFailed(FILE);
    const claimedTask = await ingest.addRunning(FILE);
    await ingest.report(claimedTask, 'mirror 1 does not answer');
    expect(await ingest.entriesOf(FILE)).toEqual({ [failed]: '(F,T)', [claimedTask.taskId]: '(T,T)' });
    const { position, state } = await ingest.succeed(claimedTask);
    expect(state).toBe('succeeded');
    await followed(position);
    expect(await ingest.entriesOf(FILE)).toEqual({});
    expect(await ingest.failed()).toEqual([]);
  });

  it('S0-43 need not follow a reported error: the worker may stop instead', async () => {
    const ingest = await makeIngest(service.waybill);
    const claimedTask = await ingest.addRunning(FILE);
    await ingest.report(claimedTask, 'mirror 1 does not answer');
    await ingest.fail(claimedTask, 'no mirror answers');
    expect(await ingest.entriesOf(FILE)).toEqual({ [claimedTask.taskId]: '(F,T)' });
    expect(await ingest.get(claimedTask.taskId)).toMatchObject({ error: { message: 'no mirror answers' } });
  });
});

describe('a worker that dies', () => {
  it('S0-41 blocks its file for others until its lease ends, and no longer', async () => {
    const ingest = await makeIngest(service.waybill);
    const { id } = await ingest.add(FILE);
    const dead = await ingest.take('dead', LEASE_MS);
    // The lease may already have ended by now. Otherwise waits for its end.
    const next = (await ingest.claim('alive')) ?? (await ingest.wait('alive'));
    expect(next).toMatchObject({ taskId: id, attempt: 2 });
    const history = await service.waybill.task(id).history();
    expect(history.map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired', 'TaskClaimed']);
    expect(Date.parse(history[2]!.recordedAt)).toBeGreaterThanOrEqual(Date.parse(dead.deadline));
    const late = await refusalOf(ingest.succeed(dead));
    expect(late).toMatchObject({ code: 'LEASE_LOST', data: { heldBy: 'alive', attempt: 2 } });
    expect(await refusalOf(ingest.fail(dead, 'too late'))).toMatchObject({ code: 'LEASE_LOST' });
    expect(await ingest.get(id)).toMatchObject({ state: 'running', worker: 'alive', error: null });
    expect((await ingest.succeed(next!)).state).toBe('succeeded');
  });

  it('S0-41 also blocks its file for an entry that was added again', async () => {
    const ingest = await makeIngest(service.waybill);
    await ingest.add(FILE);
    const dead = await ingest.take('dead');
    const { id } = await ingest.add(FILE);
    expect(await ingest.claim()).toBeNull();
    await service.passTime('13 hours');
    expect(await ingest.take('alive')).toMatchObject({ taskId: id });
    expect(await refusalOf(ingest.succeed(dead))).toMatchObject({ code: 'LEASE_LOST' });
  });
});

// The run of an entry ends without an outcome while another entry of its file already waits.
describe('an entry whose place was taken', () => {
  /** Expects that the entry failed with its error, the waiting one is selected, and the file can be added as usual. */
  async function expectGivenWay(queue: FileQueue, old: string, waiting: string, message: string | RegExp) {
    const error = { message: expect.stringMatching(message) as unknown };
    expect(await queue.get(old)).toMatchObject({ state: 'failed', error });
    await service.passTime('400 days');
    const claimedTask = await queue.take('alive');
    expect(claimedTask.taskId).toBe(waiting);
    expect(await queue.claim()).toBeNull();
    expect(await queue.flags(old)).toBe('(F,T)');
    const added = await queue.add(FILE);
    expect(added.status).toBe('enqueued');
    const { position } = await queue.succeed(claimedTask);
    await followed(position);
    expect(await queue.entriesOf(FILE)).toEqual({ [added.id]: '(F,F)' });
    expect(await queue.take()).toMatchObject({ taskId: added.id });
  }

  it('S0-42 fails when its lease ends', async () => {
    const ingest = await makeIngest(service.waybill);
    await ingest.add(FILE);
    const dead = await ingest.take('dead');
    const { id, position } = await ingest.add(FILE);
    await service.passTime('13 hours');
    const { position: minPosition } = await service.eventAfter(position, { queue: ingest.name, type: 'TaskFailed' });
    await service.waybill.task(dead.taskId).get({ minPosition });
    await expectGivenWay(ingest, dead.taskId, id, /worker 'dead' to settle attempt 1 before its lease ended/);
  });

  it('S0-42 fails instead of being retried automatically', async () => {
    const outgoing = await makeExport(service.waybill);
    const running = await outgoing.addRunning(FILE);
    const { id } = await outgoing.add(FILE);
    const { state } = await outgoing.fail(running, 'line down', 'transient');
    expect(state).toBe('failed');
    await expectGivenWay(outgoing, running.taskId, id, /^line down$/);
  });

  it('S0-42 fails when it is returned', async () => {
    const ingest = await makeIngest(service.waybill);
    const running = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE);
    await ingest.settle(running, { type: 'return' });
    await expectGivenWay(ingest, running.taskId, id, new RegExp(`task '${id}' already waits for its key`));
  });

  it('S0-42 fails when it is cancelled and its worker stops with an error', async () => {
    const outgoing = await makeExport(service.waybill);
    const running = await outgoing.addRunning(FILE);
    const { id } = await outgoing.add(FILE);
    await service.as('operator').task(running.taskId).cancel();
    await outgoing.fail(running, 'stopped halfway', 'transient');
    await expectGivenWay(outgoing, running.taskId, id, /^stopped halfway$/);
  });

  it('S0-42 fails when it is cancelled and its worker confirms that', async () => {
    const ingest = await makeIngest(service.waybill);
    const running = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE);
    await service.as('olga').task(running.taskId).cancel({ reason: 'wrong folder' });
    const { state } = await ingest.settle(running, { type: 'confirmCancel' });
    expect(state).toBe('failed');
    await expectGivenWay(
      ingest,
      running.taskId,
      id,
      /^Expected the task to go on, but 'olga' cancelled it: wrong folder$/,
    );
  });
});
