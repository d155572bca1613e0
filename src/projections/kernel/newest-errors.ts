import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Moment, Past } from './past.port.js';
import { eventsIn } from './stream-as-of.js';

/** The messages of the newest errors at a moment, by the ids of the tasks. Those that had none are left out. */
export async function newestErrors(
  past: Pick<Past, 'historiesAt'>,
  tasks: readonly string[],
  { position }: Moment,
): Promise<ReadonlyMap<string, string>> {
  const histories = await past.historiesAt(tasks.map(taskStream), position);
  return new Map(
    histories.flatMap((history, at) => {
      const last = eventsIn<TaskEvent>(history).findLast(({ data }) => 'error' in data);
      return last && 'error' in last.data ? [[tasks[at]!, (last.data.error as TaskError).message] as const] : [];
    }),
  );
}
