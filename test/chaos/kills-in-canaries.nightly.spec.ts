import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { PATIENT } from './load.js';
import { freePort } from './ports.js';
import { Run } from './run.js';

const QUEUE = 'repairs';
const TASKS = 12;
const CANARY = { first: 5, goOnIf: 0.8 };
const RETRY = { retry: PATIENT };

describe('kill -9 of the steward in the canary of an operation', () => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,reactor,sweeper,relay' } }).ready();
    waybill = run.client();
    await waybill.queue(QUEUE).define({ onFailure: 'fail' }, RETRY);
  });
  afterAll(() => run.close());

  const steward = async (crash?: Crash) =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(crash && { crash }) });

  async function killed(crash: Crash): Promise<void> {
    const one = await steward(crash);
    expect([await one.ended, one.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(one.lines).toContain(lastWords(crash));
    await loseWorkers(run.pool, 'waybill.operations');
  }

  /** Ends what waits: the first so many fail, and the others succeed. */
  async function work(failing: number): Promise<number> {
    const claimed = await waybill.queue(QUEUE).claim({ worker: 'w', max: 50 }, RETRY);
    if (claimed.length === 0) return 0;
    const error = { message: 'still broken' };
    const verdictOf = (at: number) =>
      at < failing ? ({ type: 'fail', error } as const) : ({ type: 'succeed' } as const);
    await waybill.settle(
      claimed.map(({ taskId, token }, at) => ({ taskId, token, verdict: verdictOf(at) })),
      RETRY,
    );
    return claimed.length;
  }

  async function failedTasks(): Promise<readonly string[]> {
    const ids = Array.from({ length: TASKS }, () => uuidv7());
    await waybill.queue(QUEUE).enqueueMany(
      ids.map((id) => ({ id, payload: null })),
      RETRY,
    );
    expect(await work(TASKS)).toBe(TASKS);
    return ids;
  }

  async function retried(id: string): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { stream, envelope } of waybill.events({ queue: QUEUE, type: 'TaskRetried' }))
      if (envelope.correlationId === id) found.push(stream.slice('task-'.length));
    return found.sort();
  }

  const verdictsOf = async (id: string): Promise<number> =>
    (await waybill.task(id).history()).filter(({ type }) => type === 'TaskDataRecorded').length;

  const ended = (id: string): Promise<TaskDetails> =>
    until('the operation to end', async () => {
      const task = await waybill.task(id).get(RETRY);
      return task.finishedAt === null ? null : task;
    });

  it.each([
    ['goes on', 1, 'succeeded', TASKS],
    ['stops', 2, 'failed', CANARY.first],
  ] as const)('%s by one verdict, and gives each task the command once', async (_, failing, state, given) => {
    const ids = await failedTasks();
    const { id } = await waybill.operate('retry', { tasks: ids }, { canary: CANARY, ...RETRY });
    // Before its first tasks have the command, and then before it waits for their ends.
    await killed({ point: 'within-operation', passage: 1 });
    await killed({ point: 'within-operation', passage: 2 });
    expect((await retried(id!)).length).toBe(CANARY.first);
    expect(await work(failing)).toBe(CANARY.first);
    // What it reports first is the verdict. With the events in another store, its claim is an append, too.
    await killed({ point: 'after-settle', passage: 1 });
    expect(await verdictsOf(id!)).toBe(1);
    expect((await retried(id!)).length).toBe(CANARY.first);
    const last = await steward();
    const operation = await ended(id!);
    await last.kill();
    expect([operation.state, await verdictsOf(id!)]).toEqual([state, 1]);
    const all = await retried(id!);
    expect([all.length, new Set(all).size]).toEqual([given, given]);
    await work(0);
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });
});
