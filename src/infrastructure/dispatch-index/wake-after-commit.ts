import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { eventsWith } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';

const OFFERS_WORK = eventsWith('offers-work');
const FREES_KEY = eventsWith('frees-key');
const FREES_NAMED_KEY = eventsWith('frees-named-key');
const CHANGES_SCHEDULE = eventsWith('changes-schedule');

/**
 * Wakes the waiters for whom a committed append may have made something possible: in this process at once, in others
 * within the debounce. `roused`: the queues of tasks that became ready because others were done.
 */
export function wakeAfterCommit(
  wakeUps: WakeUps,
  items: readonly AppendItem[],
  results: readonly AppendResult[],
  roused: readonly string[] = [],
): void {
  const queues = new Set(roused);
  const freed = new Set<string>();
  let last = 0n;
  let schedule = false;
  items.forEach(({ events }, index) => {
    const result = results[index]!;
    if (result.kind !== 'appended') return;
    if (result.position > last) last = result.position;
    for (const { event } of events) {
      if (offers(event)) queues.add(queueOf(event));
      else if (FREES_NAMED_KEY.has(event.type)) freed.add(queueOf(event));
      schedule ||= CHANGES_SCHEDULE.has(event.type) || 'dueAt' in event.data;
    }
  });
  if (last > 0n) wakeUps.logAdvanced(last);
  for (const queue of queues) wakeUps.queueReady(queue);
  for (const queue of freed) wakeUps.slotFreed(queue);
  if (schedule) wakeUps.scheduleChanged();
}

/** `*`: all queues. */
const queueOf = ({ data }: DomainEvent): string => (data as { readonly queue?: string }).queue ?? '*';

const offers = ({ type, data }: DomainEvent): boolean =>
  OFFERS_WORK.has(type) || FREES_KEY.has(type) || ('key' in data && FREES_NAMED_KEY.has(type));
