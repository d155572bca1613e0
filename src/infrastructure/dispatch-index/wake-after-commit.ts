import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';

/** Events after which a queue may have something to give out: a task came (back), a key came free, or a gate opened. */
const OFFERING = new Set([
  'TaskEnqueued',
  'TaskSubmitted',
  'TaskReleased',
  'TaskStepCompleted',
  'TaskRetryScheduled',
  'TaskRetried',
  'TaskLeaseExpired',
  'TaskReturned',
  'TaskReprioritised',
  'TaskRescheduled',
  'TaskOverruled',
  // Behind it, claims find the task's history and the index alike again.
  'TaskReservationAbandoned',
  'QueueResumed',
  'QueueReopened',
  'QueueActivated',
  'QueuePolicyChanged',
]);

/** Events that end a run or a wait: news for the queue only where the task has a key that others wait for. */
const ENDING = [
  'TaskFailed',
  'TaskDecisionRequested',
  'TaskCancelled',
  'TaskAborted',
  'TaskDeleted',
  'TaskHeld',
  'TaskSuperseded',
];
const FREEING = new Set(['TaskSucceeded', ...ENDING]);

/** Events after which the sweeper may have something to do: at once, or at a time that was not known. */
const RESCHEDULING = new Set([
  'TaskRetryScheduled',
  'TaskRescheduled',
  'TaskClaimed',
  'TaskAttemptFailed',
  'TaskSucceeded',
  'TaskLeaseExpired',
  'TaskOverruled',
  ...ENDING,
  'QueuePolicyChanged',
  'QueuePaused',
  'QueueResumed',
  'QueueIntakeClosed',
  'QueueWaiting',
  'QueueActivated',
  'QueueFinished',
  'QueueReopened',
]);

/** Tells the sleepers of this process (and, debounced, of others) what a committed append may have given them to do. */
export function wakeAfterCommit(
  wakeUps: WakeUps,
  items: readonly AppendItem[],
  results: readonly AppendResult[],
): void {
  const queues = new Set<string>();
  const freed = new Set<string>();
  let last = 0n;
  let schedule = false;
  items.forEach(({ events }, index) => {
    const result = results[index]!;
    if (result.kind !== 'appended') return;
    if (result.position > last) last = result.position;
    for (const { event } of events) {
      if (offers(event)) queues.add(queueOf(event));
      else if (event.type === 'TaskSucceeded') freed.add(queueOf(event));
      schedule ||= RESCHEDULING.has(event.type) || 'dueAt' in event.data;
    }
  });
  if (last > 0n) wakeUps.logAdvanced(last);
  for (const queue of queues) wakeUps.queueReady(queue);
  for (const queue of freed) wakeUps.slotFreed(queue);
  if (schedule) wakeUps.scheduleChanged();
}

const queueOf = ({ data }: DomainEvent): string => (data as { readonly queue: string }).queue;

const offers = (event: DomainEvent): boolean =>
  OFFERING.has(event.type) || (FREEING.has(event.type) && mayFreeAKey(event));

/** Most endings do not say whether the task had a key; only a success is frequent enough to be worth the distinction. */
const mayFreeAKey = (event: DomainEvent): boolean => event.type !== 'TaskSucceeded' || 'key' in event.data;
