import { ERASED, failureIn } from '../../domain/task/failures.events.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Past } from '../kernel/past.port.js';
import type { FailureAt, GroupRow } from './failure-group-rows.js';

/** Errors of a group as the log has them; null where one was erased, or cannot be read. */
export interface ErrorsOfGroup {
  readonly newest: TaskError | null;
  /** Those that tell what all have in common, if no task is failed. */
  readonly others: readonly (TaskError | null)[];
}

/** In the order of the groups. */
export async function errorsOf(
  past: Past,
  groups: readonly Pick<GroupRow, 'lastTask' | 'position' | 'ended'>[],
): Promise<readonly ErrorsOfGroup[]> {
  const failures = groups.map(({ lastTask: task, position, ended = [] }) => [{ task, position }, ...ended]);
  const errors = await errorsAt(past, failures.flat());
  const next = errors.values();
  return failures.map((of) => {
    const [newest = null, ...others] = of.map(() => next.next().value ?? null);
    return { newest, others };
  });
}

async function errorsAt(past: Past, failures: readonly FailureAt[]): Promise<readonly (TaskError | null)[]> {
  const streams = [...new Set(failures.map(({ task }) => taskStream(task)))];
  const histories = await past.historiesAt(streams, (await past.now()).position);
  const known = new Map(streams.map((stream, at) => [stream, histories[at]!]));
  return failures.map(({ task, position }) => {
    const recorded = known.get(taskStream(task))!.find((one) => String(one.position) === position);
    const error = recorded ? failureIn(recorded.event as TaskEvent) : null;
    return error?.message === ERASED ? null : error;
  });
}
