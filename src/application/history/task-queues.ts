import { Injectable } from '@nestjs/common';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventStore } from '../kernel/event-store.port.js';

/** Finds the queues of tasks in the log, because a read model may not know a task yet. */
@Injectable()
export class TaskQueues {
  constructor(private readonly store: EventStore) {}

  /** By the ids of the tasks. Tasks that do not exist are left out. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const unique = [...new Set(ids)];
    const streams = await this.store.readStreams(unique.map(taskStream));
    return new Map(
      streams.flatMap(([first], index) =>
        first === undefined ? [] : [[unique[index]!, (first.event.data as { readonly queue: string }).queue]],
      ),
    );
  }
}
