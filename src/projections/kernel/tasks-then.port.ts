import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { Recorded } from './event-log.port.js';
import type { Moment, Past } from './past.port.js';
import { stateMove } from './state-move.js';

/** A task as of a position, with the events that its row is the fold of. */
export interface TaskThen {
  readonly row: {
    readonly task_id: string;
    readonly queue: string;
    readonly state: string;
    readonly seq: string;
    readonly priority: number;
    readonly place: string | null;
    readonly key: string | null;
    /** JSON. */
    readonly labels: string | null;
    /** JSON. */
    readonly needs: string | null;
    readonly batch: string | null;
    readonly due_at: string | null;
    readonly started_at: string | null;
    readonly run_until: string | null;
    readonly attempt: number;
    readonly worker: string | null;
    readonly step: string | null;
    /** Whether it has been released, or has begun a step. */
    readonly entered: boolean;
    /** The hold that caught it. */
    readonly hold: string | null;
  };
  readonly events: readonly Recorded<TaskEvent>[];
}

/** A task or batch that was not done. */
export interface BlockerThen {
  readonly id: string;
  readonly state: string;
}

/** Who had the key of a task. */
export interface KeyThen {
  /** The task that ran under it, or was the first in line for it. */
  readonly occupant: string | null;
  /** The earliest task whose failure kept later ones waiting. */
  readonly blocker: { readonly task_id: string; readonly state: string } | null;
}

/** What tasks were and waited for, by the rules of the index on the folds of then. */
export abstract class TasksThen {
  /** The same, as another past tells it. */
  abstract over(past: Past): TasksThen;

  /** The streams of every task and batch that it ever waited for. */
  abstract prerequisitesOf(task: TaskThen): readonly string[];

  /** The ids of the other tasks of its key that were open then, or have changed since; at most 1,000. */
  abstract othersOfKey(task: TaskThen, moment: Moment): Promise<readonly string[]>;

  /** Throws `NotThereThen`. */
  abstract at(id: string, moment: Moment): Promise<TaskThen>;

  /** What kept a pending task apart from its key. */
  abstract ownGate(task: TaskThen, moment: Moment): Promise<'prerequisites' | 'due' | null>;

  /** What was not done, its own batch first if that was not open. */
  abstract blockersOf(task: TaskThen, moment: Moment): Promise<readonly BlockerThen[]>;

  /** What kept a pending task that nothing else kept from its key; null if nothing did. */
  abstract keyOf(task: TaskThen, policy: QueuePolicy, moment: Moment): Promise<KeyThen | null>;
}

/** The state of a task after these events; null if they are none, or fences. */
export const stateAfter = (events: readonly Recorded<TaskEvent>[]): TaskStatus | null =>
  events.reduce<TaskStatus | null>((state, { event }) => stateMove(event)?.to ?? state, null);
