import { Injectable } from '@nestjs/common';
import type { AttendanceEvent } from '../../../domain/attendance/attendance.events.js';
import { attendanceStream } from '../../../domain/attendance/attendance.stream.js';
import { TASK_EVENTS, type TaskEvent } from '../../../domain/task/task.events.js';
import type { Recorded } from '../../kernel/event-log.port.js';
import { Past, TooMuchToFold } from '../../kernel/past.port.js';
import { type Absence, absencesIn } from '../past-attendance.js';
import { PastSurroundings } from '../past-surroundings.js';
import type { RunningTask } from '../why.js';
import { type Activity, activityOf, type Range } from './activity.js';
import type { Span } from './spans.js';

/** Events of one queue that are read for one answer. */
const MOST_EVENTS = 50_000;

/** With these a task begins to run, or may end. */
const TYPES = Object.keys(TASK_EVENTS).filter(
  (type) => !/^Task(Prepared|Enqueued|EnqueueRejected|Submitted|Released)$/.test(type),
);

/** What the workers of a queue did, from the log. */
@Injectable()
export class QueueActivity {
  constructor(
    private readonly past: Past,
    private readonly around: PastSurroundings,
  ) {}

  /** The activity within the range, as far as the span and the limit of events reach. */
  async of(queue: string, span: Pick<Span, 'from' | 'until'>, range: Range): Promise<Activity> {
    const after = await this.positionAt(range.from, span.from);
    const running = await this.runningAt(queue, after);
    if (running === null) return activityOf([], [], { from: range.from, until: range.from });
    const absences = await this.absencesUpTo(queue, span.until.position);
    const asked = { queue, types: TYPES, after, upTo: span.until.position, most: MOST_EVENTS };
    const { events, isWhole } = await this.past.eventsOf(asked);
    const until = isWhole ? range.until : Date.parse(events.at(-1)?.recordedAt ?? new Date(range.from).toISOString());
    return activityOf(running, events as readonly Recorded<TaskEvent>[], { from: range.from, until }, absences);
  }

  private async absencesUpTo(queue: string, position: bigint): Promise<readonly Absence[]> {
    const [crossings] = await this.past.historiesAt([attendanceStream(queue)], position);
    return absencesIn(crossings as readonly Recorded<AttendanceEvent>[]);
  }

  /** No later than the time, so that nothing is left out. */
  private async positionAt(time: number, from: Span['from']): Promise<bigint> {
    if (time <= from.time) return from.position;
    const { position } = await this.past.momentOf({ at: new Date(time) });
    return position > from.position ? position : from.position;
  }

  /** Null if too many may have run. */
  private async runningAt(queue: string, position: bigint): Promise<readonly RunningTask[] | null> {
    try {
      return await this.around.runningAt(queue, position);
    } catch (error) {
      if (error instanceof TooMuchToFold) return null;
      throw error;
    }
  }
}
