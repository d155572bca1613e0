import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorClass, PolicyChanges } from '@waybill/client';
import { Pruner } from '../../../src/infrastructure/sweeper/pruner.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { EXPORT, FIRST_RETRY_MS, INGEST, makeExport, makeIngest, makeQueue } from './file-queues.js';

const FILE = 'm31.fits';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('a failure', () => {
  it('S0-21 is recorded with its message on the entry, which stays in the list of the failed', async () => {
    const ingest = await makeIngest(service.waybill);
    const { id } = await ingest.add(FILE);
    await ingest.fail(await ingest.take(), 'no such instrument: WIFRC');
    const error = { message: 'no such instrument: WIFRC', class: 'business' };
    expect(await ingest.get(id)).toMatchObject({ state: 'failed', error });
    expect(await ingest.failed()).toMatchObject([{ id, key: FILE, state: 'failed', error }]);
  });

  it('S0-22 S0-23 is distinguished from an error that is still being worked on', async () => {
    const ingest = await makeIngest(service.waybill);
    const { id } = await ingest.add(FILE);
    const seen = [await ingest.flags(id)];
    const claimedTask = await ingest.take();
    seen.push(await ingest.flags(id));
    await ingest.report(claimedTask, 'checksum differs');
    seen.push(await ingest.flags(id));
    await ingest.fail(claimedTask, 'checksum differs');
    seen.push(await ingest.flags(id));
    expect(seen).toEqual(['(F,F)', '(T,F)', '(T,T)', '(F,T)']);
  });

  it('S0-22 shows the error while it is being worked on', async () => {
    const ingest = await makeIngest(service.waybill);
    const claimedTask = await ingest.addRunning(FILE);
    await ingest.report(claimedTask, 'checksum differs');
    const error = { message: 'checksum differs', class: 'business' };
    expect(await ingest.get(claimedTask.taskId)).toMatchObject({ state: 'running', worker: 'w1', error });
    expect(await ingest.failed()).toEqual([]);
  });

  it('S0-23 keeps the file busy until the work stops', async () => {
    const ingest = await makeIngest(service.waybill);
    const claimedTask = await ingest.addRunning(FILE);
    const { id } = await ingest.add(FILE);
    await ingest.report(claimedTask, 'checksum differs');
    expect(await ingest.claim('w2')).toBeNull();
    await ingest.fail(claimedTask, 'checksum differs');
    expect(await ingest.flags(claimedTask.taskId)).toBe('(F,T)');
    expect(await ingest.take('w2')).toMatchObject({ taskId: id });
  });

  it('S0-28 is classified as a bug, a problem with the file or a transient problem', async () => {
    const outgoing = await makeExport(service.waybill);
    const classes: ErrorClass[] = ['bug', 'business', 'transient'];
    for (const errorClass of classes) {
      await outgoing.add(`${errorClass}.fits`);
      await outgoing.fail(await outgoing.take(), `a ${errorClass} error`, errorClass);
    }
    const failed = await outgoing.failed();
    expect(failed.map(({ key, error }) => [key, error?.class])).toEqual([
      ['business.fits', 'business'],
      ['bug.fits', 'bug'],
    ]);
    const [[id, flags] = []] = Object.entries(await outgoing.entriesOf('transient.fits'));
    expect(flags).toBe('(F,F)');
    expect(await outgoing.get(id!)).toMatchObject({ waitingFor: 'due', error: { class: 'transient' } });
  });
});

describe('a retry by hand', () => {
  it('S0-24 makes a failed entry eligible again, which may then fail with another error', async () => {
    const ingest = await makeIngest(service.waybill);
    const id = await ingest.addFailed(FILE, 'disk full');
    expect(await ingest.claim()).toBeNull();
    await service.as('operator').task(id).retry();
    expect(await ingest.flags(id)).toBe('(F,F)');
    expect(await ingest.get(id)).toMatchObject({ error: null });
    const again = await ingest.take();
    expect(again).toMatchObject({ taskId: id, attempt: 2 });
    await ingest.fail(again, 'disk still full');
    expect(await ingest.get(id)).toMatchObject({ state: 'failed', error: { message: 'disk still full' } });
    expect(await ingest.claim()).toBeNull();
  });

  it('S0-25 may be done with another entry: the old one stays failed, and the new one is selected', async () => {
    const ingest = await makeIngest(service.waybill);
    const old = await ingest.addFailed(FILE);
    const added = await ingest.add(FILE);
    expect(added.status).toBe('enqueued');
    expect(await ingest.take()).toMatchObject({ taskId: added.id });
    expect(await ingest.entriesOf(FILE)).toEqual({ [old]: '(F,T)', [added.id]: '(T,F)' });
    expect(await ingest.claim()).toBeNull();
  });

  it.each(['watcher', 'operator'])(
    'S0-29 of a modified file that the %s adds again processes its new version',
    async (actor) => {
      const ingest = await makeIngest(service.waybill);
      await ingest.add(FILE, { payload: { version: 1 } });
      const old = await ingest.take();
      await ingest.fail(old, 'broken header');
      const { id } = await service.as(actor).queue(ingest.name).enqueue({ version: 2 }, { key: FILE });
      expect(await ingest.take()).toMatchObject({ taskId: id, payload: { version: 2 } });
      expect(await ingest.flags(old.taskId)).toBe('(F,T)');
    },
  );
});

describe('the passing of time', () => {
  it.each<[string, PolicyChanges]>([
    ['the ingest queue', INGEST],
    ['a queue of the default policy', {}],
  ])('S0-26 does not return a failed entry of %s, whatever its error', async (_, policy) => {
    const queue = await makeQueue(service.waybill, 'patient', policy);
    const classes: ErrorClass[] = ['bug', 'business', 'application', 'transient'];
    const failed: string[] = [];
    for (const errorClass of classes) {
      const claimedTask = await queue.addRunning(`${errorClass}.fits`);
      const { state } = await queue.fail(claimedTask, 'connection reset', errorClass);
      expect(state).toBe('failed');
      failed.push(claimedTask.taskId);
    }
    await service.passTime('400 days');
    expect(await queue.claim()).toBeNull();
    for (const id of failed) {
      expect(await queue.flags(id)).toBe('(F,T)');
      expect((await service.waybill.task(id).history()).at(-1)!.type).toBe('TaskFailed');
    }
  });

  it('S0-30 does not remove a failed entry, which can be corrected and retried', async () => {
    const ingest = await makeIngest(service.waybill);
    await ingest.handle.enqueue({ instrument: 'WIFRC' }, { key: FILE, idempotencyKey: FILE });
    const claimedTask = await ingest.take();
    await ingest.fail(claimedTask, 'no such instrument');
    const { taskId } = claimedTask;
    await service.passTime('4000 days');
    await cleanUp(ingest.name);
    expect(await ingest.failed()).toMatchObject([{ id: taskId, error: { message: 'no such instrument' } }]);
    expect(await ingest.entriesOf(FILE)).toEqual({ [taskId]: '(F,T)' });
    const operator = service.as('operator').task(taskId);
    await operator.amend({ instrument: 'WIRC' });
    expect(await ingest.flags(taskId)).toBe('(F,T)');
    await operator.retry();
    expect(await ingest.take()).toMatchObject({ taskId, payload: { instrument: 'WIRC' } });
  });
});

/** Runs the cleaner's work when everything in the queue that may be deleted is old enough. */
async function cleanUp(queue: string): Promise<void> {
  const old = "created_at = created_at - interval '4000 days'";
  await service.pool.query(`update claims set ${old}`);
  await service.pool.query(`update idempotency_keys set ${old}`);
  const left = async (): Promise<number> => {
    const { rows } = await service.pool.query<{ n: number }>(
      'select (select count(*) from claims where queue = $1)::int + (select count(*) from idempotency_keys where key = $2)::int as n',
      [queue, FILE],
    );
    return rows[0]!.n;
  };
  expect(await left()).toBe(2);
  const pruner = new Pruner(service.pool);
  while (await pruner.deleteSome());
  expect(await left()).toBe(0);
}

describe('the export queue', () => {
  it('S0-27 retries transient failures with growing delays, up to a limit', async () => {
    const outgoing = await makeExport(service.waybill);
    const { id } = await outgoing.add(FILE);
    for (const [failures, delay] of [
      [1, FIRST_RETRY_MS],
      [2, 2 * FIRST_RETRY_MS],
    ] as const) {
      const { state } = await outgoing.fail(await outgoing.take(), 'long-haul line down', 'transient');
      expect(state).toBe('pending');
      expect(await outgoing.get(id)).toMatchObject({ waitingFor: 'due', attempt: failures });
      const scheduled = (await service.waybill.task(id).history()).at(-1)!;
      expect(scheduled).toMatchObject({ type: 'TaskRetryScheduled', data: { failures } });
      const due = Date.parse(scheduled.data.dueAt as string) - Date.parse(scheduled.recordedAt);
      // The decision is made before it is recorded, on a busy machine some time before.
      expect(Math.abs(due - delay)).toBeLessThan(FIRST_RETRY_MS / 2);
      expect(await outgoing.claim()).toBeNull();
      await service.passTime('13 hours');
    }
    const last = await outgoing.take();
    expect(last).toMatchObject({ taskId: id, attempt: 3 });
    await outgoing.fail(last, 'long-haul line down', 'transient');
    expect(await outgoing.flags(id)).toBe('(F,T)');
    await service.passTime('13 hours');
    expect(await outgoing.claim()).toBeNull();
  });

  it.each(['bug', 'business'] as const)('S0-27 does not retry a failure of class %s', async (errorClass) => {
    const outgoing = await makeExport(service.waybill);
    const claimedTask = await outgoing.addRunning(FILE);
    const { state } = await outgoing.fail(claimedTask, 'broken header', errorClass);
    expect(state).toBe('failed');
    await service.passTime('13 hours');
    expect(await outgoing.claim()).toBeNull();
  });

  it('S0-27 is retried without affecting the ingest queue', async () => {
    const ingest = await makeIngest(service.waybill);
    const outgoing = await makeQueue(service.waybill, 'export', INGEST);
    const before = await ingest.handle.get();
    await outgoing.fail(await outgoing.addRunning('before.fits'), 'line down', 'transient');
    expect(Object.values(await outgoing.entriesOf('before.fits'))).toEqual(['(F,T)']);
    const { policyVersion } = await outgoing.handle.get();
    await outgoing.handle.changePolicy(EXPORT, { ifVersion: policyVersion });
    for (const queue of [ingest, outgoing]) await queue.fail(await queue.addRunning(FILE), 'line down', 'transient');
    expect(Object.values(await outgoing.entriesOf(FILE))).toEqual(['(F,F)']);
    expect(Object.values(await ingest.entriesOf(FILE))).toEqual(['(F,T)']);
    expect(await ingest.handle.get()).toEqual(before);
  });
});
