import type { EnqueueItem } from '../../application/tasks/enqueue-item.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { sameContent } from '../../domain/kernel/json.js';

/** Whether the event is the enqueue of a task of which everything is true that its producer said; the rest was the queue's to say. */
export function isMadeOf(event: DomainEvent, { taskId: _ofTheStream, ...said }: EnqueueItem): boolean {
  const made = event.data as Readonly<Record<string, unknown>>;
  return event.type === 'TaskEnqueued' && Object.entries(said).every(([name, value]) => sameContent(made[name], value));
}
