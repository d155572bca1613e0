import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';
import type { ErrorClass } from '../task/task.events.js';
import type { QueuePolicy } from './queue.policy.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** The failed attempt after which a queue's policy paused it. Its message is in the task's stream. */
export interface QueueFailure {
  readonly taskId: string;
  readonly class: ErrorClass;
}

/** Version 1 quoted the message of the failure. */
function withoutMessage(data: object): object {
  const { failure, ...pause } = data as { readonly failure?: QueueFailure };
  return failure === undefined ? data : { ...pause, failure: { taskId: failure.taskId, class: failure.class } };
}

export const QUEUE_EVENTS = {
  QueueDefined: event<{
    readonly queue: string;
    readonly description: string;
    readonly policy: QueuePolicy;
    readonly policyVersion: number;
  }>({ version: 1, effects: ['ends-failure-streak'], command: 'single', private: { description: false } }),
  QueuePolicyChanged: event<{
    readonly queue: string;
    readonly description: string;
    readonly policy: QueuePolicy;
    readonly policyVersion: number;
  }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule', 'ends-failure-streak'],
    command: 'single',
    private: { description: false },
  }),
  QueuePaused: event<
    {
      readonly queue: string;
      readonly by: string;
      readonly reason: string | null;
      /** The queue resumes by itself at this time; null: it waits for somebody to resume it. */
      readonly until: IsoTime | null;
      /** The failure that made the policy pause the queue. */
      readonly failure?: QueueFailure;
    },
    2
  >({ version: 2, effects: ['changes-schedule'], command: 'single', upcasters: { 1: withoutMessage } }),
  QueueResumed: event<{ readonly queue: string; readonly by: string }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule', 'ends-failure-streak'],
    command: 'single',
  }),
  QueueIntakeClosed: event<{ readonly queue: string; readonly by: string; readonly reason: string | null }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  QueueIntakeOpened: event<{ readonly queue: string; readonly by: string }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
  QueueFinished: event<{ readonly queue: string; readonly by: string }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  QueueReopened: event<{ readonly queue: string; readonly by: string }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule', 'ends-failure-streak'],
    command: 'single',
  }),
  /** Follows, in the same append, an event that would have made the queue active while other queues are not finished yet. */
  QueueWaiting: event<{ readonly queue: string; readonly waitsFor: readonly string[] }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** Everything that the queue waits for is finished. */
  QueueActivated: event<{ readonly queue: string; readonly by: string }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule'],
  }),
  QueueDeleted: event<{ readonly queue: string; readonly by: string }>({ version: 1, effects: [], command: 'single' }),
  /** A fence, like the tasks' event. */
  QueueReservationAbandoned: event<{ readonly queue: string; readonly reservation: string }>({
    version: 1,
    effects: ['fills-abandoned-place'],
  }),
};

export type QueueEvent = EventsOf<typeof QUEUE_EVENTS>;
export type QueueEventType = QueueEvent['type'];
export type QueueDefined = Extract<QueueEvent, { readonly type: 'QueueDefined' }>;
