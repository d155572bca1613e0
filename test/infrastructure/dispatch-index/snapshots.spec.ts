import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView, Waybill } from '@waybill/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { FoldedStates } from '../../../src/infrastructure/past/snapshots/folded-states.js';
import { ELSEWHERE, HERE, type LogScale } from '../../../src/infrastructure/past/snapshots/snapshot.js';
import { Snapshots } from '../../../src/infrastructure/past/snapshots/snapshots.js';
import { SnapshotKeeper } from '../../../src/infrastructure/past/snapshots/snapshot-keeper.js';
import { SnapshotWriter } from '../../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { HistoryNotReady, type Moment } from '../../../src/projections/kernel/past.port.js';
import { isStanding, STANDING } from '../../../src/projections/kernel/states-then.port.js';
import { taskRowChange } from '../../../src/projections/kernel/rows/task-row-rules.js';
import { built } from '../../support/built.js';
import { logOf, type OpenLog } from '../../support/history/log-of.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const QUEUES = ['line', 'bulk', 'doubt', 'brief', 'one', 'two'];
const WRITERS = 3;
const STEPS = 120;
/** The most snapshots that are compared. */
const MOST = 60;

/** The states of tasks by queue and id, in a form that can be compared. */
type States = readonly string[];

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
  const [writer, taken]: [SnapshotWriter, bigint[]] = [
    new SnapshotWriter(service.pool, isElsewhere ? ELSEWHERE : HERE),
    [],
  ];
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

async function everyTaskEvent(): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for await (const event of service.waybill.events({ category: 'task' })) events.push(event);
  return events;
}

/** By the rules of rows, one event after the other. */
function* folded(events: readonly EventView[], positions: readonly bigint[]): Generator<States> {
  const tasks = new Map<string, { queue: string; state: string }>();
  let at = 0;
  for (const position of positions) {
    for (; at < events.length && BigInt(events[at]!.position) <= position; at++) {
      const event = events[at] as unknown as TaskEvent & { streamId: string; stream: string };
      const { state } = taskRowChange(event);
      if (state !== null) tasks.set(event.stream, { queue: event.data.queue, state });
    }
    yield statesOf([...tasks].map(([stream, task]) => ({ ...task, id: stream.slice('task-'.length) })));
  }
}

const statesOf = (tasks: readonly { queue: string; state: string; id: string }[]): States =>
  tasks
    .filter(({ state }) => isStanding(state as never))
    .map(({ queue, state, id }) => `${queue} ${state} ${id}`)
    .sort();

async function stored(position: bigint): Promise<States> {
  const sets = await new Snapshots(service.pool).setsOf({ position, countedAt: 0n, bytes: 0 });
  return statesOf(sets.flatMap(({ ids, ...set }) => ids.map((id) => ({ ...set, id }))));
}

/** As if so many events had happened that a snapshot is due after 16 positions, or 16,384 bytes of another store's log. */
const scaleOf = (real: LogScale): LogScale => ({
  place: real.place,
  positionsPerEvent: real.positionsPerEvent / 4096,
});

function keeperOf(log: OpenLog, leaders: Leaders): SnapshotKeeper {
  const scale = scaleOf(isElsewhere ? ELSEWHERE : HERE);
  const [snapshots, writer] = [new Snapshots(service.pool), new SnapshotWriter(service.pool, scale)];
  return new SnapshotKeeper({ snapshots, writer, log, scale }, leaders, 'snapshots of a test');
}

async function storedPositions(): Promise<readonly bigint[]> {
  const { rows } = await service.pool.query<{ position: string }>('select position from snapshots order by position');
  return rows.map(({ position }) => BigInt(position));
}

const momentAt = ({ position }: EventView): Moment => ({
  position: BigInt(position),
  at: '',
  alternative: null,
  settled: true,
});

/** Some of all, and some in the middle of an append, after a failed attempt and before what follows. */
function momentsOf(events: readonly EventView[]): readonly Moment[] {
  const some = Array.from({ length: 15 }, (_, at) => events[Math.floor(((at + 1) * events.length) / 15) - 1]!);
  const middles = events.filter(({ type }) => type === 'TaskAttemptFailed').slice(-5);
  const moments = [...some, ...middles].map(momentAt);
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
    const events = await everyTaskEvent();
    const expected = [...folded(events, taken)];
    expect(taken.length).toBeGreaterThan(5);
    for (const [at, position] of taken.entries())
      expect([position, await stored(position)]).toEqual([position, expected[at]]);
    const { rows } = await service.pool.query('select from snapshot_tasks where runs is not null');
    expect(rows.length > 0).toBe(!isElsewhere);
    const kinds = new Set(expected.flat().map((task) => task.split(' ')[1]));
    expect([...kinds].sort()).toEqual(['failed', 'held', 'pending', 'prepared', 'running', 'undecided']);
  });
});

describe('the keeper of snapshots', () => {
  it('H-05 H-08 folds those that a log lacks, also if it is stopped in between, and each equals the fold from the beginning', async () => {
    await service.pool.query('truncate snapshots, snapshot_tasks');
    const log = logOf(service);
    const leaders = [new Leaders(service.pool), new Leaders(service.pool)];
    const [first, second] = leaders.map((one) => keeperOf(log, one));
    const sparse = new FoldedStates(new Snapshots(service.pool), log, scaleOf(isElsewhere ? ELSEWHERE : HERE));
    const events = await everyTaskEvent();
    const [moments, last] = [momentsOf(events), momentAt(events.at(-1)!)];
    await expect(sparse.countsOf('line', last)).rejects.toBeInstanceOf(HistoryNotReady);
    const before = await answersAt(
      new FoldedStates(new Snapshots(service.pool), log, isElsewhere ? ELSEWHERE : HERE),
      moments,
    );
    first!.start();
    await until('the first snapshots', async () => ((await storedPositions()).length > 2 ? true : null));
    second!.start();
    await first!.stop();
    const writer = new SnapshotWriter(service.pool, scaleOf(isElsewhere ? ELSEWHERE : HERE));
    await until('no gap', async () => ((await writer.lastBeforeGap()) === null ? true : null));
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
    const positions = await storedPositions();
    expect(positions.length).toBeGreaterThan(8);
    const expected = [...folded(events, positions)];
    for (const [at, position] of positions.entries())
      expect([position, await stored(position)]).toEqual([position, expected[at]]);
  });
});
