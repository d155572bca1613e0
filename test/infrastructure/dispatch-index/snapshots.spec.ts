import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView, Waybill } from '@waybill/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { FoldedStates } from '../../../src/infrastructure/past/snapshots/folded-states.js';
import { Snapshots } from '../../../src/infrastructure/past/snapshots/snapshots.js';
import { SnapshotWriter } from '../../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { HistoryNotReady, type Moment } from '../../../src/projections/kernel/past.port.js';
import { STANDING } from '../../../src/projections/kernel/states-then.port.js';
import { built } from '../../support/built.js';
import { logOf } from '../../support/history/log-of.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import {
  everyTaskEvent,
  folded,
  isWithoutGap,
  keeperOf,
  momentAt,
  SCALE,
  SOON,
  type States,
  stored,
  storedPositions,
} from '../../support/history/snapshots-then.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const QUEUES = ['line', 'bulk', 'doubt', 'brief', 'one', 'two'];
const WRITERS = 3;
const STEPS = 120;
/** The most snapshots that are compared. */
const MOST = 60;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Tasks without keys, so that they wait in extents. */
async function writeInBulk(index: number): Promise<void> {
  const args = [built('test/support/writer-process.ts'), service.databaseUrl, 'bulk', '24', String(index)];
  const [code] = (await once(spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit')) as [
    number,
  ];
  expect(code).toBe(0);
}

async function live(waybill: Waybill, seed: number): Promise<void> {
  const history = new RandomHistory(waybill, randomFrom(seed));
  await history.begin();
  for (let step = 0; step < STEPS; step++) {
    await history.step();
    if (step % 20 === 0) await waybill.queue('line').enqueueMany(Array.from({ length: 70 }, () => ({})));
    if (step % 7 === 0) await waybill.queue('line').claim({ worker: 'w', max: 9, leaseMs: 3_600_000 });
    if (step % 10 === 0) await doubt(waybill);
  }
}

/** One task stays prepared, one waits until tomorrow, and one is to be decided. */
async function doubt(waybill: Waybill): Promise<void> {
  const queue = waybill.queue('doubt');
  await queue.enqueueMany([{ prepared: true }, { dueAt: new Date(Date.now() + 86_400_000) }, {}]);
  await fail(waybill, 'doubt');
  await waybill.queue('brief').enqueue();
  await fail(waybill, 'brief');
}

async function fail(waybill: Waybill, queue: string): Promise<void> {
  for (const { taskId, token } of await waybill.queue(queue).claim({ worker: 'w' }))
    await waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message: 'no', class: 'business' } } }]);
}

const archived = (): Promise<true | null> =>
  until('failed tasks to leave the lists', async () => {
    await service.pool.query(`update archives set ended_at = '-infinity'`);
    const { rows } = await service.pool.query(`select from tasks_archive where state = 'failed' limit 1`);
    return rows.length > 0 || null;
  });

/** Takes snapshots until the work is done, and one more. */
async function takenDuring(work: Promise<unknown>): Promise<readonly bigint[]> {
  const [writer, taken]: [SnapshotWriter, bigint[]] = [new SnapshotWriter(service.pool, SCALE), []];
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver && taken.length < MOST) {
    const position = await writer.take();
    if (position !== null) taken.push(position);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
  return [...taken, await until('a last snapshot', () => writer.take())];
}

/** Some of all, and some in the middle of an append, after a failed attempt and before what follows. */
function momentsOf(events: readonly EventView[]): readonly Moment[] {
  const some = Array.from({ length: 15 }, (_, at) => events[Math.floor(((at + 1) * events.length) / 15) - 1]!);
  const middles = events.filter(({ type }) => type === 'TaskAttemptFailed').slice(-5);
  const moments = [...some, ...middles].map(({ position }) => momentAt(position));
  return moments.sort((one, other) => Number(one.position - other.position));
}

const COUNTED = ['doubt', 'line', 'one'];

async function answersAt(states: FoldedStates, moments: readonly Moment[]) {
  const answers: { states: States; counted: readonly string[] }[] = [];
  for (const moment of moments) {
    const counts = await Promise.all(COUNTED.map((queue) => states.countsOf(queue, moment)));
    const ids: string[] = [];
    for (const queue of QUEUES)
      for (const state of STANDING)
        for (const id of await states.idsIn({ queue, state }, moment)) ids.push(`${queue} ${state} ${id}`);
    const counted = COUNTED.flatMap((queue, at) => STANDING.map((state) => `${queue} ${state} ${counts[at]![state]}`));
    answers.push({ states: ids.sort(), counted });
  }
  return answers;
}

const countedIn = (states: States): readonly string[] =>
  COUNTED.flatMap((queue) =>
    STANDING.map(
      (state) => `${queue} ${state} ${states.filter((task) => task.startsWith(`${queue} ${state} `)).length}`,
    ),
  );

describe('a snapshot of rows', () => {
  it('H-08 equals the fold of the log up to its position, while several processes write', async () => {
    const other = await service.addInstance();
    for (const name of ['line', 'bulk']) await service.waybill.queue(name).define();
    await service.waybill.queue('doubt').define({ onFailure: 'decide' });
    await service.waybill.queue('brief').define({ retention: { failed: 0 } });
    const writers = isElsewhere ? [] : Array.from({ length: WRITERS }, (_, index) => writeInBulk(index + 1));
    const lives = [service.waybill, other].map((waybill, seed) => live(waybill, seed));
    const taken = await takenDuring(Promise.all([...writers, ...lives]).then(archived));
    const events = await everyTaskEvent(service.waybill);
    const expected = [...folded(events, taken)];
    expect(taken.length).toBeGreaterThan(5);
    for (const [at, position] of taken.entries())
      expect([position, await stored(service.pool, position)]).toEqual([position, expected[at]]);
    const { rows } = await service.pool.query('select from snapshot_tasks where runs is not null');
    expect(rows.length > 0).toBe(!isElsewhere);
    const kinds = new Set(expected.flat().map((task) => task.split(' ')[1]));
    expect([...kinds].sort()).toEqual(['failed', 'held', 'pending', 'prepared', 'running', 'undecided']);
  });
});

describe('the keeper of snapshots', () => {
  it('H-05 H-08 folds those that a log lacks, also if it is stopped in between, and each equals the fold from the beginning', async () => {
    // The sweeper keeps snapshots, too.
    await service.restart({ roles: ['api', 'projector', 'reactor'] });
    await service.pool.query('truncate snapshots, snapshot_tasks');
    const log = logOf(service);
    const leaders = [new Leaders(service.pool), new Leaders(service.pool)];
    const [first, second] = leaders.map((one) => keeperOf(service.pool, log, one));
    const sparse = new FoldedStates(new Snapshots(service.pool), log, SOON);
    const events = await everyTaskEvent(service.waybill);
    const [moments, last] = [momentsOf(events), momentAt(events.at(-1)!.position)];
    await expect(sparse.countsOf('line', last)).rejects.toBeInstanceOf(HistoryNotReady);
    const before = await answersAt(new FoldedStates(new Snapshots(service.pool), log, SCALE), moments);
    first!.start();
    await until('the first snapshots', async () => ((await storedPositions(service.pool)).length > 2 ? true : null));
    second!.start();
    await first!.stop();
    await until('no gap', () => isWithoutGap(service.pool));
    await second!.stop();
    await Promise.all(leaders.map((one) => one.close()));
    const after = await answersAt(sparse, moments);
    await log.close();
    expect(after).toEqual(before);
    expect(after.map(({ states }) => states)).toEqual([
      ...folded(
        events,
        moments.map(({ position }) => position),
      ),
    ]);
    for (const { states, counted } of after) expect(counted).toEqual(countedIn(states));
    const positions = await storedPositions(service.pool);
    expect(positions.length).toBeGreaterThan(8);
    const expected = [...folded(events, positions)];
    for (const [at, position] of positions.entries())
      expect([position, await stored(service.pool, position)]).toEqual([position, expected[at]]);
  });
});
