import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { resultOf, type TaskResult } from './get-task-result.query.js';

/** What somebody outside may know of a task: that something happened, and what it has come to. */
export interface FollowedTask extends Omit<TaskResult, 'error'> {
  /** Without its details, which have the stack. */
  readonly error: Pick<NonNullable<TaskResult['error']>, 'message' | 'class'> | null;
  /** The oldest first. */
  readonly events: readonly { readonly position: string; readonly type: string; readonly recordedAt: string }[];
}

/** Read from the log itself, with the events after a position; null if no task has the id. */
export class GetFollowedTask extends Query<FollowedTask | null> {
  constructor(
    readonly id: string,
    readonly after: bigint,
  ) {
    super();
  }
}

@QueryHandler(GetFollowedTask)
export class GetFollowedTaskHandler implements IQueryHandler<GetFollowedTask> {
  constructor(private readonly log: EventLog) {}

  async execute({ id, after }: GetFollowedTask): Promise<FollowedTask | null> {
    const [stream] = await this.log.readStreams([taskStream(id)]);
    const events = stream as readonly Recorded<TaskEvent>[];
    const found = resultOf(id, events);
    if (found === null) return null;
    const { error } = found;
    return {
      ...found,
      error: error && { message: error.message, class: error.class },
      events: events.filter(({ position }) => position > after).map(shown),
    };
  }
}

const shown = ({ position, event: { type }, recordedAt }: Recorded): FollowedTask['events'][number] => ({
  position: String(position),
  type,
  recordedAt,
});
