import type { EventView, Waybill } from '@waybill/client';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import type { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import type { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { ModelGaps } from '../../../src/infrastructure/past/models/model-gaps.js';
import { ModelSnapshots } from '../../../src/infrastructure/past/models/model-snapshots.js';
import { ELSEWHERE, HERE, type LogScale } from '../../../src/infrastructure/past/snapshots/snapshot.js';
import { SnapshotKeeper } from '../../../src/infrastructure/past/snapshots/snapshot-keeper.js';
import { SnapshotWriter } from '../../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { Snapshots } from '../../../src/infrastructure/past/snapshots/snapshots.js';
import type { Moment } from '../../../src/projections/kernel/past.port.js';
import { taskRowChange } from '../../../src/projections/kernel/rows/task-row-rules.js';
import { isStanding } from '../../../src/projections/kernel/states-then.port.js';
import { isElsewhere } from '../running-service.js';
import type { OpenLog } from './log-of.js';

/** The open tasks, each with its queue and its state, in a form that can be compared. */
export type States = readonly string[];

export const SCALE: LogScale = isElsewhere ? ELSEWHERE : HERE;

/** As if so many events had happened that a snapshot is due after 16 positions, or 16,384 bytes of another store's log. */
export const SOON: LogScale = {
  place: SCALE.place,
  positionsPerEvent: SCALE.positionsPerEvent / 4_096,
  bytesPerEvent: SCALE.bytesPerEvent,
};

export async function everyTaskEvent(waybill: Waybill): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for await (const event of waybill.events({ category: 'task' })) events.push(event);
  return events;
}

/** What was open at each of the positions, which ascend, by the rules of rows, one event after the other. */
export function* folded(events: readonly EventView[], positions: readonly bigint[]): Generator<States> {
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

/** What the snapshot of a position says was open. */
export async function stored(pool: PostgresPool, position: bigint): Promise<States> {
  const sets = await new Snapshots(pool).setsOf({ position, countedAt: 0n, bytes: 0 });
  return statesOf(sets.flatMap(({ ids, ...set }) => ids.map((id) => ({ ...set, id }))));
}

export async function storedPositions(pool: PostgresPool): Promise<readonly bigint[]> {
  const { rows } = await pool.query<{ position: string }>('select position from snapshots order by position');
  return rows.map(({ position }) => BigInt(position));
}

export const momentAt = (position: string | bigint): Moment => ({
  position: BigInt(position),
  at: '',
  alternative: null,
  settled: true,
});

/** One that is not that of the service. */
export function keeperOf(pool: PostgresPool, log: OpenLog, leaders: Leaders): SnapshotKeeper {
  const [snapshots, writer] = [new Snapshots(pool), new SnapshotWriter(pool, SOON)];
  const models = new ModelGaps(new ModelSnapshots(pool), snapshots, log, SOON);
  return new SnapshotKeeper({ snapshots, writer, log, scale: SOON, models }, leaders, 'snapshots of a test');
}

/** Whether every snapshot that is due is there. */
export const isWithoutGap = async (pool: PostgresPool): Promise<true | null> =>
  (await new SnapshotWriter(pool, SOON).lastBeforeGap()) === null ? true : null;
