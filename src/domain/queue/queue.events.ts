import type { IsoTime } from '../kernel/json.js';
import type { ErrorClass } from '../task/task.events.js';
import type { QueuePolicy } from './queue.policy.js';

// STORAGE FORMAT. Names, versions and shapes below are stored for ever: add events or upcast, never edit.

/** The failed attempt after which a queue's policy paused it. */
export interface QueueFailure {
  readonly taskId: string;
  readonly message: string;
  readonly class: ErrorClass;
}

export type QueueDefined = {
  readonly type: 'QueueDefined';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly description: string;
    readonly policy: QueuePolicy;
    readonly policyVersion: number;
  };
};
export type QueuePolicyChanged = {
  readonly type: 'QueuePolicyChanged';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly description: string;
    readonly policy: QueuePolicy;
    readonly policyVersion: number;
  };
};
export type QueuePaused = {
  readonly type: 'QueuePaused';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly by: string;
    readonly reason: string | null;
    /** Resumes by itself at this time; null until somebody resumes it. */
    readonly until: IsoTime | null;
    /** The failure that paused it, where that was its policy's doing. */
    readonly failure?: QueueFailure;
  };
};
export type QueueResumed = {
  readonly type: 'QueueResumed';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
export type QueueIntakeClosed = {
  readonly type: 'QueueIntakeClosed';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string; readonly reason: string | null };
};
export type QueueIntakeOpened = {
  readonly type: 'QueueIntakeOpened';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
export type QueueFinished = {
  readonly type: 'QueueFinished';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
export type QueueReopened = {
  readonly type: 'QueueReopened';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
/** In the same append as what would have made the queue active: others must be finished first. */
export type QueueWaiting = {
  readonly type: 'QueueWaiting';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly waitsFor: readonly string[] };
};
/** Nothing is left that the queue waits for. */
export type QueueActivated = {
  readonly type: 'QueueActivated';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
export type QueueDeleted = {
  readonly type: 'QueueDeleted';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
/** The place of an append that was announced and never came, as with tasks. */
export type QueueReservationAbandoned = {
  readonly type: 'QueueReservationAbandoned';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly reservation: string };
};

export type QueueEvent =
  | QueueDefined
  | QueuePolicyChanged
  | QueuePaused
  | QueueResumed
  | QueueIntakeClosed
  | QueueIntakeOpened
  | QueueFinished
  | QueueReopened
  | QueueWaiting
  | QueueActivated
  | QueueDeleted
  | QueueReservationAbandoned;

export type QueueEventType = QueueEvent['type'];
