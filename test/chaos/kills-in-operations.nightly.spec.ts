import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle, TaskDetails, Waybill, Worker } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { PATIENT } from './load.js';
import { Run } from './run.js';
import { freePort } from './ports.js';

const QUEUE = 'repairs';
/** Of bulk operations and of the deletions of queues. */
const OPERATIONS = ['waybill.operations', 'waybill.queue-deletions'];
/** More than two checkpoints. */
const FAILED = 1_200;
/** More than one checkpoint. */
const LEAVING = 700;
const RETRY = { retry: PATIENT };
const WITHOUT_STEWARD = { WAYBILL_ROLES: 'api,projector,reactor,sweeper,relay' };

/** One task after the other, until the queue takes no more. The ids of those that it took. */
async function enqueueUntilRefused(queue: QueueHandle): Promise<readonly string[]> {
  const taken: string[] = [];
  for (;;) {
    try {
      taken.push((await queue.enqueue(null, RETRY)).id);
    } catch (error) {
      expect(error).toMatchObject({ code: 'INTAKE_CLOSED' });
      return taken;
    }
  }
}

describe('kill -9 of the steward in a bulk operation', () => {
  let run: Run;
  let worker: Worker | undefined;
  beforeAll(async () => {
    run = await Run.open();
    await run.service({ env: WITHOUT_STEWARD }).ready();
  });
  afterAll(async () => {
    await worker?.stop();
    await run.close();
  });

  async function stewardKilled(crash: Crash): Promise<void> {
    const steward = run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, crash });
    expect([await steward.ended, steward.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(steward.lines).toContain(lastWords(crash));
    await loseWorkers(run.pool, ...OPERATIONS);
  }

  /** The operation's task once it has ended, by another steward, which ends then: it must not take the next operation. */
  async function endOf(waybill: Waybill, id: string): Promise<TaskDetails> {
    const steward = run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' } });
    const task = await until(
      'the operation to end',
      async () => {
        const found = await waybill.task(id).get(RETRY);
        return found.finishedAt === null ? null : found;
      },
      120_000,
    );
    steward.signal('SIGKILL');
    await steward.ended;
    return task;
  }

  /** Whatever is claimed fails, so a second retry of the same task would be recorded. */
  async function fail(waybill: Waybill, ids: readonly string[]): Promise<void> {
    await waybill.queue(QUEUE).enqueueMany(
      ids.map((id) => ({ id, payload: null })),
      RETRY,
    );
    worker = waybill.worker({ name: 'w', concurrency: 20, logger: null }).handle(QUEUE, () => {
      throw new Error('broken on purpose');
    });
    await worker.start();
    await run.settled(120_000);
  }

  /** The tasks that were retried, in any order, with what asked for it. */
  async function retries(waybill: Waybill): Promise<readonly (readonly [string, string | undefined])[]> {
    const found: [string, string | undefined][] = [];
    for await (const { stream, envelope } of waybill.events({ queue: QUEUE, type: 'TaskRetried' }))
      found.push([stream.slice('task-'.length), envelope.correlationId]);
    return found;
  }

  it('goes on in other processes, gives each task its command once, and counts right', async () => {
    const waybill = run.client();
    await waybill.queue(QUEUE).define({ onFailure: 'fail' }, RETRY);
    const ids = Array.from({ length: FAILED }, () => uuidv7());
    await fail(waybill, ids);

    const selection = { filter: { queue: QUEUE, state: 'failed' } } as const;
    const { id } = await waybill.operate('retry', selection, { reason: 'mended', ...RETRY });
    await stewardKilled({ point: 'within-operation', passage: 1 });
    await stewardKilled({ point: 'after-append', passage: 3 });
    await stewardKilled({ point: 'within-operation', passage: 2 });
    const operation = await endOf(waybill, id!);
    await run.settled(120_000);
    await worker!.stop();
    await run.caughtUp();

    expect(operation).toMatchObject({
      state: 'succeeded',
      result: { asked: FAILED, done: FAILED, refused: {}, examples: [] },
    });
    const { rows } = await run.pool.query('select key from idempotency_keys where key like $1', [`op:${id}%`]);
    expect(rows.map(({ key }) => key as string).sort()).toEqual(ids.map((task) => `op:${id}\n${task}`).sort());
    expect((await retries(waybill)).toSorted()).toEqual(ids.map((task) => [task, id]).sort());
    expect(violationsOf(await run.history())).toEqual([]);
  }, 600_000);

  it('goes on with the deletion of a queue while others enqueue, and deletes each task and the queue once', async () => {
    const waybill = run.client();
    const queue = waybill.queue('leaving');
    await queue.define({}, RETRY);
    const ids = Array.from({ length: LEAVING }, () => uuidv7());
    await queue.enqueueMany(
      ids.map((id) => ({ id, payload: null })),
      RETRY,
    );
    const [claimed] = await queue.claim({ worker: 'robot', leaseMs: 600_000 }, RETRY);
    const late = enqueueUntilRefused(queue);
    const { id } = await queue.deleteWithTasks({ reason: 'the supplier is gone', ...RETRY });
    await stewardKilled({ point: 'within-operation', passage: 1 });
    await stewardKilled({ point: 'after-append', passage: 3 });
    // Appends share commits by chance, so only one checkpoint may be left: a second passage might never come.
    await stewardKilled({ point: 'within-operation', passage: 1 });
    const ending = endOf(waybill, id!);
    const { taskId, token } = claimed!;
    await waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }], RETRY);
    const deletion = await ending;
    await run.caughtUp();

    const taken = [...ids, ...(await late)];
    expect(taken.length).toBeGreaterThan(LEAVING);
    expect(deletion).toMatchObject({ state: 'succeeded', result: { done: taken.length, refused: {} } });
    const deleted: string[] = [];
    const ended: string[] = [];
    for await (const { type, stream, envelope } of waybill.events({ queue: 'leaving' })) {
      if (type === 'TaskDeleted') deleted.push(stream.slice('task-'.length));
      if (type === 'QueueDeleted') ended.push(envelope.correlationId!);
    }
    expect(deleted.sort()).toEqual(taken.sort());
    expect(ended).toEqual([id]);
    expect(violationsOf(await run.history())).toEqual([]);
  }, 600_000);
});
