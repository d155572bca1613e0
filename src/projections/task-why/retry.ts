import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { faultOf } from './reason-from-history.js';
import type { Retry } from './why.js';

/** With these a task begins to wait again. */
const RETURNS: readonly TaskEvent['type'][] = [
  'TaskRetryScheduled',
  'TaskLeaseExpired',
  'TaskReturned',
  'TaskRetried',
  'TaskReleased',
  'TaskStepCompleted',
];

/** The failed or lost attempt after which the task waits; null if it waits for another reason. */
export function retryIn(history: readonly Recorded[], policy: QueuePolicy, step: string | null): Retry | null {
  const events = (history as readonly Recorded<TaskEvent>[]).map(({ event }) => event);
  const last = events.findLast(({ type }) => RETURNS.includes(type));
  if (last?.type === 'TaskLeaseExpired') return lostOf(last, events);
  return last?.type === 'TaskRetryScheduled' ? failedOf(events, policy, step) : null;
}

function failedOf(events: readonly TaskEvent[], policy: QueuePolicy, step: string | null): Retry {
  const own = limitOf(policy, step);
  const failed = since(events, own === undefined ? ['TaskRetried'] : ['TaskRetried', 'TaskStepCompleted']);
  const failures = failed.filter(({ type }) => type === 'TaskAttemptFailed');
  const maxAttempts = own === undefined ? policy.retry.maxAttempts : own;
  return { error: faultOf(failures.at(-1)!)!, failures: failures.length, maxAttempts };
}

/** The limit that the step sets itself; undefined if it follows the queue's. */
function limitOf({ steps }: QueuePolicy, name: string | null): number | null | undefined {
  const step = steps.find((one) => typeof one !== 'string' && one.name === name);
  return typeof step === 'object' ? step.retry?.maxAttempts : undefined;
}

function lostOf({ data }: Extract<TaskEvent, { type: 'TaskLeaseExpired' }>, events: readonly TaskEvent[]): Retry {
  const { worker, attempt } = data;
  const message = `Expected worker '${worker}' to settle attempt ${attempt} before its lease ended, but it did not`;
  const lost = since(events, ['TaskRetried']).filter(({ type }) => type === 'TaskLeaseExpired');
  return { error: { class: 'lost', message }, failures: lost.length };
}

const since = (events: readonly TaskEvent[], types: readonly TaskEvent['type'][]): readonly TaskEvent[] =>
  events.slice(events.findLastIndex(({ type }) => types.includes(type)) + 1);
