import { type Labels, limitsOf, type QueuePolicy, valueOf } from '../../domain/queue/queue.policy.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { Invariant } from '../violation.js';

/** A place that a task takes while it is in a state, and the number of tasks that may share it. */
export interface Place {
  /** Equal for all tasks that share the place. */
  readonly id: string;
  /** What the tasks in this place do, in words. */
  readonly says: string;
  readonly capacity: number;
  /** The promise that more tasks would break. */
  readonly keeps: Invariant;
}

const WAITING: readonly TaskStatus[] = ['pending', 'held'];
const OPEN: readonly TaskStatus[] = ['prepared', 'undecided', 'running', ...WAITING];
/** The states in which a task frees a reference that must be unique among open tasks. */
const LETS_GO: readonly TaskStatus[] = ['succeeded', 'aborted', 'superseded', 'deleted'];

/** With these, several tasks of a key may wait. */
const LINES_UP: ReadonlySet<QueuePolicy['duplicatePending']> = new Set(['allow', 'gather']);

export const openIn = (queue: string): string => placeId('open', queue);

/** The policy is the queue's at this position. A place taken under an earlier policy is kept. */
export function placesOf(state: TaskState, policy: QueuePolicy): readonly Place[] {
  if (state.status === 'unknown') return [];
  const { queue, key, reference, rerunOf, labels } = state.task.submission;
  return [
    ...(OPEN.includes(state.status)
      ? [{ id: openIn(queue), says: 'be open', capacity: Infinity, keeps: 'I6' as const }]
      : []),
    ...(key === undefined ? [] : placesOfKey(state.status, queue, key, policy)),
    // A copy has the reference of its original.
    ...(reference === undefined || rerunOf ? [] : placesOfReference(state.status, queue, reference, policy)),
    ...(state.status === 'running' ? placesOfRun(queue, state.lease.server, policy) : []),
    ...(state.status === 'running' ? placesOfLabel(queue, labels, policy) : []),
  ];
}

function placesOfKey(status: TaskStatus, queue: string, key: string, policy: QueuePolicy): Place[] {
  if (status === 'running')
    return [{ id: placeId('runs', queue, key), says: `run under key '${key}'`, capacity: 1, keeps: 'I5' }];
  if (!WAITING.includes(status)) return [];
  const capacity = LINES_UP.has(policy.duplicatePending) ? Infinity : 1;
  return [{ id: placeId('waits', queue, key), says: `wait under key '${key}'`, capacity, keeps: 'I5' }];
}

function placesOfReference(status: TaskStatus, queue: string, reference: string, policy: QueuePolicy): Place[] {
  const [says, keeps] = [`have reference '${reference}'`, 'I5' as const];
  const unique = policy.uniqueReference;
  const ever = { id: placeId('had', queue, reference), says, capacity: unique === 'always' ? 1 : Infinity, keeps };
  // Nobody else is judged by what a task has left behind, so it need not be remembered.
  if (LETS_GO.includes(status)) return unique === 'always' ? [ever] : [];
  const capacity = unique === 'open' ? 1 : Infinity;
  return [ever, { id: placeId('has', queue, reference), says: `${says} and be open`, capacity, keeps }];
}

function placesOfRun(queue: string, server: string, { concurrency, maxRunning }: QueuePolicy): Place[] {
  const inCluster = concurrency === 'serial' ? 1 : (maxRunning ?? Infinity);
  const here = typeof concurrency === 'object' ? concurrency.perServer : Infinity;
  return [
    { id: placeId('runs in', queue), says: 'run', capacity: inCluster, keeps: 'I6' },
    { id: placeId('runs on', queue, server), says: `run on '${server}'`, capacity: here, keeps: 'I6' },
  ];
}

function placesOfLabel(queue: string, labels: Labels | undefined, { perLabel }: QueuePolicy): Place[] {
  if (perLabel === null) return [];
  const value = valueOf(perLabel, labels);
  const { label } = perLabel;
  const { maxRunning: capacity = Infinity } = limitsOf(perLabel, value);
  const says = value === null ? `run without the label '${label}'` : `run with the label '${label}: ${value}'`;
  return [{ id: placeId('runs with', queue, label, ...(value === null ? [] : [value])), says, capacity, keeps: 'I6' }];
}

/** Stored text has no NUL. */
const placeId = (...names: readonly string[]): string => names.join('\0');
