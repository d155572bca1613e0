import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { HoldEvent } from '../../domain/hold/hold.events.js';
import { holdStream } from '../../domain/hold/hold.stream.js';
import { isCounted, type Labels, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { SystemEvent } from '../../domain/system/system.events.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { stateAfter, type TaskThen } from '../kernel/tasks-then.port.js';
import { holdRow } from '../kernel/rows/hold-row.js';
import { systemRow } from '../kernel/rows/system-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { Facts, LabelledTask } from './why.js';

const MOST_HOLDS = 1_000;
const MOST_RUNNING = 20_000;

/** Those that may have been in force: changed since, or now in force and unchanged. */
const HOLDS = `select name, state, labels, reason, placed_by, forbids_erasure, position > $1 as changed from holds
  where position > $1 or label is not null and $2::jsonb @> labels order by name limit ${MOST_HOLDS} + 1`;

/** Those that may have run: they have been claimed, and ended or changed since, or run now. */
const MAYBE_RUNNING = `select task_id as id from known_tasks
  where queue = $1 and seq <= $2 and attempt > 0 and (position > $2 or state = 'running') limit ${MOST_RUNNING} + 1`;

interface HoldThen {
  readonly name: string;
  readonly state: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly reason: string | null;
  readonly placed_by: string;
  readonly forbids_erasure: boolean;
}

/** What was around a task at a moment and kept it from running. */
@Injectable()
export class PastSurroundings {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  /** The same, as another past tells it. */
  over(past: Past): PastSurroundings {
    return new PastSurroundings(this.db, past);
  }

  async drainAt({ position }: Moment): Promise<Facts['drain']> {
    const [events] = await this.past.historiesAt([DRAIN_STREAM], position);
    const { draining, begun_by: by, reason } = events!.length === 0 ? {} : systemRow(eventsIn<SystemEvent>(events!));
    return draining === true ? { by: by as string, reason: reason as string | null } : null;
  }

  /** The first by name that catches tasks with these labels. */
  async holdOn({ row }: TaskThen, { position }: Moment): Promise<Facts['hold']> {
    if (row.labels === null) return null;
    const found = await this.holdsSince(position, row.labels);
    const labels = JSON.parse(row.labels) as HoldThen['labels'];
    for (const hold of found) {
      const then = hold.changed ? await this.holdAt(hold.name, position) : hold;
      if (then?.state === 'placed' && !then.forbids_erasure && catches(then.labels, labels))
        return { hold: hold.name, by: then.placed_by, reason: then.reason };
    }
    return null;
  }

  /** The streams of the holds that may have caught tasks with these labels (JSON text) at the position or later. */
  async holdStreamsSince(position: bigint, labels: string | null): Promise<readonly string[]> {
    return labels === null ? [] : (await this.holdsSince(position, labels)).map(({ name }) => holdStream(name));
  }

  private async holdsSince(position: bigint, labels: string): Promise<readonly (HoldThen & { changed: boolean })[]> {
    const found = await this.db.query<(HoldThen & { changed: boolean })[]>(HOLDS, [String(position), labels]);
    if (found.length > MOST_HOLDS) throw new TooMuchToFold(MOST_HOLDS, 'holds');
    return found;
  }

  /** Empty if nothing limits how many run. */
  async runningIn(queue: string, policy: QueuePolicy, { position }: Moment): Promise<readonly LabelledTask[]> {
    return isCounted(policy) ? this.runningAt(queue, position) : [];
  }

  /** In the order of their claims. */
  async runningAt(queue: string, position: bigint): Promise<readonly LabelledTask[]> {
    const found = await this.db.query<{ id: string }[]>(MAYBE_RUNNING, [queue, String(position)]);
    if (found.length > MOST_RUNNING) throw new TooMuchToFold(MOST_RUNNING);
    const ids = found.map(({ id }) => id);
    const histories = await this.past.historiesAt(ids.map(taskStream), position);
    return ids
      .flatMap((taskId, at) => claimIn(taskId, histories[at] as readonly Recorded<TaskEvent>[]) ?? [])
      .sort((one, other) => (one.position < other.position ? -1 : 1))
      .map(({ running }) => running);
  }

  private async holdAt(name: string, position: bigint): Promise<HoldThen | null> {
    const [events] = await this.past.historiesAt([holdStream(name)], position);
    return events!.length === 0 ? null : (holdRow(eventsIn<HoldEvent>(events!)) as unknown as HoldThen);
  }
}

const catches = (selector: HoldThen['labels'], labels: HoldThen['labels']): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** The claim under which the task ran after these events; null if it did not run. */
function claimIn(taskId: string, history: readonly Recorded<TaskEvent>[]) {
  if (stateAfter(history) !== 'running') return null;
  const claim = history.findLast(({ event }) => event.type === 'TaskClaimed');
  if (claim?.event.type !== 'TaskClaimed') return null;
  const { worker, server } = claim.event.data;
  return { running: { taskId, worker, server, labels: labelsIn(history) }, position: claim.position };
}

/** As the task was submitted. */
export function labelsIn(history: readonly Recorded<TaskEvent>[]): Labels | null {
  const made = history.find(({ event }) => 'kind' in event.data)?.event.data;
  return made && 'labels' in made ? (made.labels ?? null) : null;
}
