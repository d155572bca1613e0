import { Injectable } from '@nestjs/common';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { readEach, UnreadableStream } from '../kernel/unreadable-stream.js';

/** Finds the queues of tasks in the log, because a read model may not know a task yet. */
@Injectable()
export class TaskQueues {
  constructor(private readonly store: EventStore) {}

  /** By the ids of the tasks. Tasks that do not exist are left out. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const unique = [...new Set(ids)];
    const found = await readEach(unique.map(taskStream), (some) => this.store.readFirst(some), queueIn);
    return new Map(unique.flatMap((id, index) => known(id, found[index]!)));
  }
}

const queueIn = ([first]: readonly RecordedEvent[]): string | null =>
  first === undefined ? null : (first.event.data as { readonly queue: string }).queue;

function known(id: string, queue: string | null | UnreadableStream): (readonly [string, string])[] {
  if (queue instanceof UnreadableStream) throw queue;
  return queue === null ? [] : [[id, queue]];
}
