import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { eventsWith } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { TaskEnqueued, TaskStepCompleted } from '../../domain/task/task.events.js';
import { firstStepOf } from '../../domain/task/task.state.js';
import type { PutOff } from './put-off.js';

const OFFERS_WORK = eventsWith('offers-work');
const FREES_KEY = eventsWith('frees-key');
const FREES_NAMED_KEY = eventsWith('frees-named-key');
const CHANGES_SCHEDULE = eventsWith('changes-schedule');

/** What the sweeper waits for, beside events that always change its schedule. */
const TIMES = ['dueAt', 'expiresAt', 'deadlineAt', 'runUntil'] as const;

/**
 * Wakes the waiters for whom a committed append may have made something possible: in this process at once, in others
 * within the debounce. `wokenQueues`: the queues of tasks that became ready because others were done.
 */
export function wakeAfterCommit(
  wakeUps: WakeUps,
  items: readonly AppendItem[],
  results: readonly (AppendResult | PutOff)[],
  wokenQueues: readonly string[] = [],
): void {
  const ready = new ReadyQueues(wokenQueues);
  const freed = new Set<string>();
  let last = 0n;
  let schedule = false;
  items.forEach(({ events }, index) => {
    const result = results[index]!;
    if (result.kind !== 'appended') return;
    if (result.position > last) last = result.position;
    for (const { event } of events) {
      if (offers(event)) ready.add(queueOf(event), readyStep(event));
      else if (FREES_NAMED_KEY.has(event.type)) freed.add(queueOf(event));
      schedule ||= CHANGES_SCHEDULE.has(event.type) || TIMES.some((time) => time in event.data);
    }
  });
  if (last > 0n) wakeUps.logAdvanced(last);
  ready.announce(wakeUps);
  for (const queue of freed) wakeUps.slotFreed(queue);
  if (schedule) wakeUps.scheduleChanged();
}

/** The queues in which tasks became ready, each with the steps of these tasks, or null if they may be at any step. */
class ReadyQueues {
  private readonly steps = new Map<string, Set<string> | null>();

  constructor(queues: readonly string[]) {
    for (const queue of queues) this.steps.set(queue, null);
  }

  add(queue: string, step: string | null): void {
    const known = this.steps.get(queue);
    if (step === null) this.steps.set(queue, null);
    else if (known === undefined) this.steps.set(queue, new Set([step]));
    else known?.add(step);
  }

  announce(wakeUps: WakeUps): void {
    for (const [queue, steps] of this.steps) {
      if (steps === null) wakeUps.queueReady(queue);
      else for (const step of steps) wakeUps.queueReady(queue, step);
    }
  }
}

/** The step of the only task that the event makes ready. Null if it is not known, or other tasks may become ready too. */
function readyStep({ type, data }: DomainEvent): string | null {
  if (type === 'TaskEnqueued') return firstStepOf(data as TaskEnqueued['data']);
  if (type !== 'TaskStepCompleted' || 'key' in data) return null;
  return (data as TaskStepCompleted['data']).next ?? null;
}

/** `*`: all queues. */
const queueOf = ({ data }: DomainEvent): string => (data as { readonly queue?: string }).queue ?? '*';

const offers = ({ type, data }: DomainEvent): boolean =>
  OFFERS_WORK.has(type) || FREES_KEY.has(type) || ('key' in data && FREES_NAMED_KEY.has(type));
