import type { RecordedEvent } from '../application/kernel/recorded-event.js';
import type { TaskEvent } from '../domain/task/task.events.js';
import { TASK_CATEGORY } from '../domain/task/task.stream.js';
import { TRIGGER_CATEGORY } from '../domain/trigger/trigger.stream.js';

export type TaskRecord = RecordedEvent<TaskEvent>;

export const isOfTask = (recorded: RecordedEvent): recorded is TaskRecord =>
  recorded.stream.startsWith(`${TASK_CATEGORY}-`);

export const isOfTrigger = ({ stream }: RecordedEvent): boolean => stream.startsWith(`${TRIGGER_CATEGORY}-`);

/** A fence changes nothing, but takes the place of an append that was reserved. */
export const isFence = ({ event }: TaskRecord): boolean => event.type === 'TaskReservationAbandoned';

/**
 * Puts together the events of an append to a single stream. The first event says how an attempt ended, the next one what
 * follows.
 */
export class Appends {
  private append: RecordedEvent[] = [];

  /** The append that ended before this event; null if the event belongs to the same one. */
  take(next: RecordedEvent): readonly RecordedEvent[] | null {
    const last = this.append.at(-1);
    const isSame = last && next.stream === last.stream && next.recordedAt === last.recordedAt;
    if (isSame) this.append.push(next);
    return isSame ? null : this.begin(next);
  }

  /** The last one; null if there is none. */
  end(): readonly RecordedEvent[] | null {
    return this.begin();
  }

  private begin(...next: readonly RecordedEvent[]): readonly RecordedEvent[] | null {
    const { append } = this;
    this.append = [...next];
    return append.length > 0 ? append : null;
  }
}
