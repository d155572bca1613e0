import { Injectable } from '@nestjs/common';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { readEach, UnreadableStream } from '../kernel/unreadable-stream.js';

/** Finds the queues of tasks and batches in the log, because a read model may not know a task yet. */
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

  /**
   * By the ids of the batches: the queue of the task that plans it; null for a batch that none plans, which belongs to no
   * queue. Batches that do not exist are left out.
   */
  async ofBatches(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (ids.length === 0) return new Map();
    const unique = [...new Set(ids)];
    const found = await readEach(unique.map(batchStream), (some) => this.store.readFirst(some), plannerIn);
    const planners = unique.flatMap((id, index) => known(id, found[index]!));
    const queues = await this.of(planners.flatMap(([, planner]) => (planner === NO_PLANNER ? [] : planner)));
    return new Map(planners.map(([id, planner]) => [id, queues.get(planner) ?? null]));
  }
}

const NO_PLANNER = '';

const plannerIn = ([first]: readonly RecordedEvent[]): string | null => {
  const created = first?.event as BatchEvent | undefined;
  return created === undefined ? null : (created.type === 'BatchCreated' && created.data.planner) || NO_PLANNER;
};

const queueIn = ([first]: readonly RecordedEvent[]): string | null =>
  first === undefined ? null : (first.event.data as { readonly queue: string }).queue;

function known(id: string, found: string | null | UnreadableStream): (readonly [string, string])[] {
  if (found instanceof UnreadableStream) throw found;
  return found === null ? [] : [[id, found]];
}
