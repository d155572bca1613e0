import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import type { ReadyTasks, WakeUps } from '../../application/kernel/wake-ups.port.js';
import { eventsWith } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
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
      if (offers(event)) ready.add(queueOf(event), readyTasks(event));
      else if (FREES_NAMED_KEY.has(event.type)) freed.add(queueOf(event));
      schedule ||= CHANGES_SCHEDULE.has(event.type) || TIMES.some((time) => time in event.data);
    }
  });
  if (last > 0n) wakeUps.logAdvanced(last);
  ready.announce(wakeUps);
  for (const queue of freed) wakeUps.slotFreed(queue);
  if (schedule) wakeUps.scheduleChanged();
}

/** The queues in which tasks became ready, each with what tells these tasks from others, or null if they may be any. */
class ReadyQueues {
  private readonly tasks = new Map<string, Map<string, ReadyTasks> | null>();

  constructor(queues: readonly string[]) {
    for (const queue of queues) this.tasks.set(queue, null);
  }

  add(queue: string, only: ReadyTasks | null): void {
    const known = this.tasks.get(queue);
    if (only === null) this.tasks.set(queue, null);
    else if (known === undefined) this.tasks.set(queue, new Map([[keyOf(only), only]]));
    else known?.set(keyOf(only), only);
  }

  announce(wakeUps: WakeUps): void {
    for (const [queue, tasks] of this.tasks) {
      if (tasks === null) wakeUps.queueReady(queue);
      else for (const only of tasks.values()) wakeUps.queueReady(queue, only);
    }
  }
}

const keyOf = ({ step, needs }: ReadyTasks): string =>
  `${step ?? ''}\n${needs === undefined ? '' : JSON.stringify(needs)}`;

/** What tells the only task that the event makes ready from others. Null if that is not known, or other tasks may become ready too. */
function readyTasks({ type, data }: DomainEvent): ReadyTasks | null {
  if (type === 'TaskEnqueued') {
    const { needs } = data as TaskEnqueued['data'];
    return some(firstStepOf(data as TaskEnqueued['data']), needs);
  }
  if (type !== 'TaskStepCompleted' || 'key' in data) return null;
  return some((data as TaskStepCompleted['data']).next ?? null);
}

const some = (step: string | null, needs?: WorkerLabels): ReadyTasks | null =>
  step === null && needs === undefined ? null : { ...(step !== null && { step }), ...(needs && { needs }) };

/** `*`: all queues. */
const queueOf = ({ data }: DomainEvent): string => (data as { readonly queue?: string }).queue ?? '*';

const offers = ({ type, data }: DomainEvent): boolean =>
  OFFERS_WORK.has(type) || FREES_KEY.has(type) || ('key' in data && FREES_NAMED_KEY.has(type));
