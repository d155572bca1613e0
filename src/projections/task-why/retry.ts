import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { faultOf } from './fault.js';
import type { Gathering, NoRetry, Retry } from './why.js';

/** With these a task begins to wait again. */
const RETURNS: readonly TaskEvent['type'][] = [
  'TaskRetryScheduled',
  'TaskLeaseExpired',
  'TaskReturned',
  'TaskWaited',
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

/** The signal that lets a task that is due at this time run earlier; null if none does. A person's retry begins its waits anew. */
export function signalIn(history: readonly Recorded[], dueAt: string | null): string | null {
  const events = (history as readonly Recorded<TaskEvent>[]).map(({ event }) => event);
  const last = events.findLast(({ type }) => type === 'TaskWaited' || type === 'TaskRetried');
  return last?.type === 'TaskWaited' && last.data.dueAt === dueAt ? (last.data.signal ?? null) : null;
}

/** What a task has gathered that is due at this time because it takes in more until then; null if that is not why. */
export function gatheringIn(history: readonly Recorded[], dueAt: string | null): Gathering | null {
  const events = (history as readonly Recorded<TaskEvent>[]).map(({ event }) => event);
  const first = events.find(({ type }) => type === 'TaskEnqueued');
  const last = events.findLast(({ type }) => MOVES_DUE.includes(type));
  if (first?.type !== 'TaskEnqueued' || !first.data.gathers || !last || !('dueAt' in last.data)) return null;
  if (last.data.dueAt !== dueAt || (last !== first && last.type !== 'TaskSubmissionGathered')) return null;
  const submissions = 1 + events.filter(({ type }) => type === 'TaskSubmissionGathered').length;
  return { submissions, latest: first.data.gathers.until };
}

/** Those that say when a waiting task is due. */
const MOVES_DUE: readonly TaskEvent['type'][] = [
  'TaskEnqueued',
  'TaskSubmissionGathered',
  'TaskRescheduled',
  'TaskRetryScheduled',
  'TaskWaited',
];

/** The rule by which a failed task was not tried again, by the policy of now; null if another thing ended it, or a policy from before. */
export function noRetryIn(history: readonly Recorded[], policy: QueuePolicy, step: string | null): NoRetry | null {
  const events = (history as readonly Recorded<TaskEvent>[]).map(({ event }) => event);
  const at = events.findLastIndex(({ type }) => type === 'TaskFailed');
  const [ended, last] = [events[at - 1], events[at]];
  if (last?.type !== 'TaskFailed' || last.data.final === true) return null;
  const before = events.slice(0, at);
  const { onFailure, classes, maxLost } = rulesAt(policy, step);
  if (ended?.type === 'TaskLeaseExpired')
    return maxLost === null ? null : { rule: 'max-lost', failures: lostOf(ended, before).failures };
  if (ended?.type !== 'TaskAttemptFailed') return null;
  if (onFailure === 'fail' || classes.length === 0) return { rule: 'on-failure' };
  if (!classes.some((one) => one === ended.data.error.class)) return { rule: 'classes', classes };
  const { failures, maxAttempts } = failedOf(before, policy, step);
  return maxAttempts == null || failures < maxAttempts ? null : { rule: 'max-attempts', failures, maxAttempts };
}

/** What of the failure policy keeps a task from another try, as a step sets it itself or follows its queue. */
function rulesAt(policy: QueuePolicy, step: string | null) {
  const { onFailure = policy.onFailure, retry, maxLost } = ownRules(policy, step) ?? {};
  const classes = retry?.classes ?? policy.retry.classes;
  return { onFailure, classes, maxLost: maxLost === undefined ? policy.maxLost : maxLost };
}

function failedOf(events: readonly TaskEvent[], policy: QueuePolicy, step: string | null): Retry {
  const own = ownRules(policy, step)?.retry?.maxAttempts;
  const failed = since(events, own === undefined ? ['TaskRetried'] : ['TaskRetried', 'TaskStepCompleted']);
  const failures = failed.filter(({ type }) => type === 'TaskAttemptFailed');
  const maxAttempts = own === undefined ? policy.retry.maxAttempts : own;
  return { error: faultOf(failures.at(-1)!)!, failures: failures.length, maxAttempts };
}

function ownRules({ steps }: QueuePolicy, name: string | null) {
  const step = steps.find((one) => typeof one !== 'string' && one.name === name);
  return typeof step === 'object' ? step : undefined;
}

function lostOf({ data }: Extract<TaskEvent, { type: 'TaskLeaseExpired' }>, events: readonly TaskEvent[]): Retry {
  const { worker, attempt } = data;
  const message = `Expected worker '${worker}' to settle attempt ${attempt} before its lease ended, but it did not`;
  const lost = since(events, ['TaskRetried']).filter(({ type }) => type === 'TaskLeaseExpired');
  return { error: { class: 'lost', message }, failures: lost.length };
}

const since = (events: readonly TaskEvent[], types: readonly TaskEvent['type'][]): readonly TaskEvent[] =>
  events.slice(events.findLastIndex(({ type }) => types.includes(type)) + 1);
