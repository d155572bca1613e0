import { failureIn } from '../../domain/task/failures.events.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Past } from '../kernel/past.port.js';
import type { GroupRow } from './failure-group-rows.js';

/** The newest errors of groups as the log has them, in their order; null where an error was erased, or cannot be read. */
export async function newestErrorsOf(
  past: Past,
  groups: readonly Pick<GroupRow, 'lastTask' | 'position'>[],
): Promise<readonly (TaskError | null)[]> {
  const { position } = await past.now();
  const histories = await past.historiesAt(
    groups.map(({ lastTask }) => taskStream(lastTask)),
    position,
  );
  return histories.map((history, at) => {
    const recorded = history.find((one) => String(one.position) === groups[at]!.position);
    return recorded ? failureIn(recorded.event as TaskEvent) : null;
  });
}

export const messageOf = (error: TaskError | null): string | null => error?.message ?? null;
