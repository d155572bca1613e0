import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { meanwhile } from '../support/meanwhile.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let between: ReturnType<typeof meanwhile> | null = null;
afterEach(() => {
  expect(between?.happened()).toBe(true);
  between?.end();
});

let made = 0;
async function define(policy = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`torn-${++made}`);
  await queue.define(policy);
  return queue;
}

async function settle({ taskId, token }: ClaimedTask, type: 'succeed', result?: string): Promise<string> {
  const [settled] = await service.waybill.settle([{ taskId, token, verdict: { type, result } }]);
  return (settled as { position: string }).position;
}

/** A batch of two tasks of which the second waits for the first, which runs. */
async function chain() {
  const queue = await define();
  const batch = await service.waybill.createBatch({ name: 'two' });
  const [first, second] = [uuidv7(), uuidv7()];
  await queue.enqueue(null, { id: first, batch: batch.id });
  await queue.enqueue(null, { id: second, batch: batch.id, after: [{ task: first }] });
  await batch.open(2);
  const [running] = await queue.claim({ worker: 'w' });
  return { batch, second, running: running! };
}

const OPEN_EDGES = /from prerequisites\s+where task_id = any \(\$1\) and needs = any/;

describe('an answer of several statements is of one moment', () => {
  it('the graph of a batch whose first task ends meanwhile', async () => {
    const { batch, running } = await chain();
    between = meanwhile('before', OPEN_EDGES, () => settle(running, 'succeed'));
    const { nodes } = await batch.graph();
    expect(nodes.map(({ state, blocked }) => [state, blocked])).toEqual([
      ['running', false],
      ['pending', true],
    ]);
  });

  it('the graph of a task whose prerequisite ends meanwhile', async () => {
    const { second, running } = await chain();
    between = meanwhile('before', OPEN_EDGES, () => settle(running, 'succeed'));
    const { nodes, cause } = await service.waybill.task(second).graph();
    expect(nodes.map(({ state, blocked }) => [state, blocked])).toEqual([
      ['pending', true],
      ['running', false],
    ]);
    expect(cause).toEqual([second, running.taskId]);
  });

  it.each([
    ['before', { state: 'succeeded', result: 'done' }],
    ['after', { state: 'running', result: null }],
  ] as const)('the end of a task that succeeds %s its row is read, and its result', async (when, expected) => {
    const queue = await define();
    const { id } = await queue.enqueue();
    const [running] = await queue.claim({ worker: 'w' });
    between = meanwhile(when, /^\/\* waybill_task \*\//, () => settle(running!, 'succeed', 'done'));
    const { state, result, finishedAt } = await service.waybill.task(id).get();
    expect({ state, result }).toEqual(expected);
    expect(finishedAt === null).toBe(result === null);
  });

  it('a waiting queue whose last awaited queue is finished meanwhile', async () => {
    const awaited = await define({ finite: true });
    const waiting = await define({ waitsFor: [awaited.name] });
    between = meanwhile('before', /"status" = 'finished'|status.*IN.*\$/, async () => {
      await awaited.closeIntake();
      await until('the queue to be finished', async () => {
        const { rows } = await service.pool.query<{ status: string }>('select status from queues where name = $1', [
          awaited.name,
        ]);
        return rows[0]!.status === 'finished' ? true : null;
      });
    });
    const { state, waitingFor } = await waiting.get();
    expect([state, waitingFor]).toEqual(['waiting', [awaited.name]]);
  });

  it('the reason of a task that somebody else held anew meanwhile', async () => {
    const queue = await define();
    const { id } = await queue.enqueue();
    const [ann, bob] = [service.as('ann').task(id), service.as('bob').task(id)];
    await ann.hold({ reason: 'first' });
    between = meanwhile('after', /from known_tasks t join queues q on/, async () => {
      await bob.release();
      await bob.hold({ reason: 'second' });
    });
    expect((await ann.why()).reasons).toEqual([{ because: 'held', by: 'ann', reason: 'first' }]);
  });
});
