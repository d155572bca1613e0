import type { IsoTime } from '../kernel/json.js';
import type { QueueFailure } from './queue.events.js';
import type { QueuePolicy } from './queue.policy.js';

export interface QueueFacts {
  readonly name: string;
  readonly description: string;
  readonly policy: QueuePolicy;
  readonly policyVersion: number;
  readonly intake: Intake;
}

export type Intake =
  | { readonly open: true }
  | { readonly open: false; readonly by: string; readonly reason: string | null };

export interface Pause {
  readonly by: string;
  readonly reason: string | null;
  readonly until: IsoTime | null;
  /** Null if a person paused the queue. */
  readonly failure: QueueFailure | null;
}

export interface UnknownQueue {
  readonly status: 'unknown';
}
export interface ActiveQueue {
  readonly status: 'active';
  readonly queue: QueueFacts;
}
export interface PausedQueue {
  readonly status: 'paused';
  readonly queue: QueueFacts;
  readonly pause: Pause;
}
/** Other queues must be finished before this one gives out tasks. */
export interface WaitingQueue {
  readonly status: 'waiting';
  readonly queue: QueueFacts;
}
export interface FinishedQueue {
  readonly status: 'finished';
  readonly queue: QueueFacts;
}
/** Deleted queues keep their policy version, so that a queue defined again under the name continues the count. */
export interface DeletedQueue {
  readonly status: 'deleted';
  readonly policyVersion: number;
}

/** An existing queue. */
export type KnownQueue = ActiveQueue | PausedQueue | WaitingQueue | FinishedQueue;

export type QueueState = UnknownQueue | KnownQueue | DeletedQueue;
export type QueueStatus = Exclude<QueueState['status'], 'unknown'>;
