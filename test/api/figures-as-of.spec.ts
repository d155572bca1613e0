import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { ELSEWHERE, HERE } from '../../src/infrastructure/past/snapshots/snapshot.js';
import { SnapshotWriter } from '../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { RandomHistory, randomFrom } from '../support/history/random-history.js';
import { Memory, type Remembered } from '../support/history/remembered.js';
import { isElsewhere, type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const STEPS = Number(process.env.MODEL_RUNS ?? 90);
const SNAPSHOT_EVERY = 17;
const LOOK_EVERY = 6;
const HOUR = 3_600_000;

let service: RunningService;
let memory: Memory;
beforeAll(async () => {
  service = await startService();
  memory = new Memory(service.url);
});
afterAll(() => service.stop());

const [from, to] = [-HOUR, 2 * HOUR].map((ms) => new Date(Date.now() + ms).toISOString());
const RANGE = `from=${from}&to=${to}`;

const OF_QUEUES = ['one', 'two'].flatMap((queue) => [
  `/v1/queues/${queue}/stats`,
  ...['1m', '1h'].map((bucket) => `/v1/queues/${queue}/stats?${RANGE}&bucket=${bucket}`),
]);
/** What changes with the clock alone, and what only rows have. */
const UNTOLD = ['oldestWaitingMs', 'longestRunMs', 'lastPolledAt', 'unattended', 'asOfPosition'];
const OF_LISTS = ['/v1/queue-stats?internal=false', '/v1/workers?internal=false'];
const UNTOLD_OF_LISTS = [...UNTOLD, 'overdue', 'state', 'stuck', 'queues', 'server', 'firstSeenAt', 'lastSeenAt'];

/** Another worker takes a task and gives it back, and one task misses its deadline. */
async function beside(at: number): Promise<void> {
  const queue = service.waybill.queue('two');
  await queue.enqueue(at, { deadlineAt: new Date(Date.now() + 20) });
  const asked = { worker: `w${2 + ((at / 9) % 3)}`, server: `host-${at % 2}` };
  const [task] = await queue.claim(at % 27 === 0 ? asked : { ...asked, build: `build-${at}` });
  if (task && at % 2 === 0)
    await service.waybill.settle([{ taskId: task.taskId, token: task.token, verdict: { type: 'return' } }]);
}

/** No event tells of workers that only asked for tasks. */
function withoutIdle(seen: Remembered): Remembered {
  const isKnown = ({ claimed }: { readonly claimed?: number }): boolean => claimed !== 0;
  const answers = seen.answers.map((answer) => ({ ...answer, items: (answer['items'] as object[]).filter(isKnown) }));
  return { ...seen, answers };
}

const kept = async (): Promise<number> => {
  const { rows } = await service.pool.query<{ count: number }>('select count(*)::int as count from model_snapshots');
  return rows[0]!.count;
};

describe('figures of queues and workers as of a moment', () => {
  it('are what they were, with rows that were kept and without any', async () => {
    const seed = Number(process.env.MODEL_SEED ?? randomInt(1_000_000_000));
    const history = new RandomHistory(service.waybill, randomFrom(seed));
    await history.begin();
    const [queues, lists]: [Remembered[], Remembered[]] = [[], []];
    const writer = new SnapshotWriter(service.pool, isElsewhere ? ELSEWHERE : HERE);
    for (let at = 1; at <= STEPS; at++) {
      await history.step();
      if (at % 9 === 0) await beside(at);
      if (at % SNAPSHOT_EVERY === 0) await writer.take();
      if (at % LOOK_EVERY !== 0) continue;
      queues.push(await memory.remember(OF_QUEUES, UNTOLD));
      lists.push(withoutIdle(await memory.remember(OF_LISTS, UNTOLD_OF_LISTS)));
    }
    const expectAgain = async (): Promise<void> => {
      try {
        await memory.expectAgain(queues, UNTOLD);
        await memory.expectAgain(lists, UNTOLD_OF_LISTS);
      } catch (error) {
        throw new Error(`Repeat it with MODEL_SEED=${seed}`, { cause: error });
      }
    };
    expect(await kept()).toBeGreaterThan(4);
    await expectAgain();
    await service.pool.query(
      'with d as (delete from snapshot_tasks), m as (delete from model_snapshots) delete from snapshots',
    );
    await expectAgain();
    const last = queues.at(-1)!.answers as readonly { overdue: number; failedByClass: { business: number } }[];
    expect(last.some(({ overdue }) => overdue > 0)).toBe(true);
    const { items } = lists.at(-1)!.answers[1] as { items: { name: string; build: string | null }[] };
    const names = items.map(({ name }) => name);
    expect(items.filter(({ build }) => build !== null).length).toBeGreaterThan(0);
    expect(names.length).toBeGreaterThan(1);
  });

  it('say how long the longest run had lasted', async () => {
    const { waybill } = service;
    const queue = waybill.queue('slow');
    await queue.define({ leaseMs: HOUR });
    const { id } = await queue.enqueue('a');
    await queue.claim({ worker: 'w9', leaseMs: HOUR });
    const { startedAt } = await waybill.task(id).get();
    const claimed = [...(await waybill.task(id).history())].find(({ type }) => type === 'TaskClaimed')!.recordedAt;
    const at = new Date(Date.parse(claimed) + 25);
    await until('the moment to be over', () => Promise.resolve(Date.now() > at.getTime() + 5 ? true : null));
    const then = await waybill.asOf(at).queue('slow').stats();
    expect(then).toMatchObject({
      longestRunMs: at.getTime() - Date.parse(startedAt!),
      oldestWaitingMs: null,
      counts: { running: 1 },
    });
    const [worker] = (await waybill.asOf(at).workerPage({ internal: false })).items.filter(({ name }) => name === 'w9');
    expect(worker).toMatchObject({ state: 'alive', server: 'w9', queues: ['slow'], running: 1, claimed: 1 });
    expect([worker!.firstSeenAt, worker!.lastSeenAt]).toEqual([claimed, claimed]);
    expect(then.asOf!.notRecorded).toEqual(['oldestWaitingMs', 'lastPolledAt', 'unattended']);
  });

  it('are not told of a position that a cursor makes up', async () => {
    const past = service.waybill.asOf(await memory.head());
    const { nextCursor } = await past.queueStatsPage({ limit: 1, internal: false });
    const [list, , ...rest] = JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as string[];
    const madeUp = Buffer.from(JSON.stringify([list, '99999999999999999', ...rest])).toString('base64url');
    const answer = await fetch(`${service.url}/v1/queue-stats?asOf=1&internal=false&cursor=${madeUp}`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'PROJECTION_BEHIND' }]);
  });

  it('follow page by page, all of one position', async () => {
    const { waybill } = service;
    const position = await memory.head();
    await waybill.queue('later').define();
    const names: string[] = [];
    for await (const { queue } of waybill.asOf(position).queueStats({ limit: 1, internal: false })) names.push(queue);
    const workers: string[] = [];
    for await (const { name } of waybill.asOf(position).workers({ limit: 1, internal: false })) workers.push(name);
    const { items } = await waybill.asOf(position).workerPage({ internal: false });
    expect([names, workers]).toEqual([['one', 'slow', 'two'], items.map(({ name }) => name)]);
    expect(workers).toEqual([...new Set([...workers, 'w9'])].sort());
  });
});
