import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import { isOpen, type ErrorClass, type TaskEvent, type TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { contentOf, type TaskView, withDetails } from './get-task.query.js';
import { pastTask } from './past-task.js';

/** How a task ended, if it has. */
export interface TaskResult {
  readonly task: string;
  readonly queue: string;
  readonly state: TaskStatus;
  /** Whether it is in a state that it leaves only by a command of somebody. */
  readonly ended: boolean;
  /** What its worker reported with its success; null before, and if that was nothing. */
  readonly result: Json;
  /** The last failure of a task that has not succeeded. */
  readonly error: TaskView['error'];
  readonly finishedAt: string | null;
  /** That of its newest event. */
  readonly position: string;
}

/** Read from the log itself, which no index is behind; null if no task has the id. */
export class GetTaskResult extends Query<TaskResult | null> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(GetTaskResult)
export class GetTaskResultHandler implements IQueryHandler<GetTaskResult> {
  constructor(private readonly log: EventLog) {}

  async execute({ id }: GetTaskResult): Promise<TaskResult | null> {
    const [events] = await this.log.readStreams([taskStream(id)]);
    return resultOf(id, events as readonly Recorded<TaskEvent>[]);
  }
}

/** What the history of a task says of its end; null for an empty one. */
export function resultOf(id: string, events: readonly Recorded<TaskEvent>[]): TaskResult | null {
  const row = pastTask(id, events)?.row;
  if (!row) return null;
  const error = row.error === null ? null : { message: row.error, class: row.error_class as ErrorClass };
  return {
    task: id,
    queue: row.queue,
    state: row.state as TaskStatus,
    ended: !isOpen(row.state as TaskStatus),
    result: contentOf(events).result,
    error: withDetails(error, events),
    finishedAt: row.finished_at,
    position: row.position,
  };
}
