import type { IsoTime } from '../kernel/json.js';
import type { AwaitedQueue } from './dependencies.js';
import type { QueueFailure } from './queue.events.js';
import type { QueuePolicy } from './queue.policy.js';

interface Given {
  readonly now: IsoTime;
  readonly by: string;
}

/** A command on a queue that is expected to exist: a refusal names it. */
interface GivenTo extends Given {
  readonly queue: string;
}

/** A command that may make a queue active or waiting needs all queues that it waits for, directly or through others. */
interface AmongOthers {
  readonly awaited: readonly AwaitedQueue[];
}

export type QueueCommand =
  | (Given &
      AmongOthers & {
        readonly type: 'DefineQueue';
        readonly name: string;
        readonly description: string;
        readonly policy: QueuePolicy;
        /** Replaces the policy of an existing queue, which otherwise stays unchanged. */
        readonly replace: boolean;
      })
  | (GivenTo &
      AmongOthers & {
        readonly type: 'ChangePolicy';
        readonly description: string;
        readonly policy: QueuePolicy;
        /** The version that the caller has read; null changes any version. */
        readonly ifVersion: number | null;
      })
  | (GivenTo & { readonly type: 'PauseQueue'; readonly reason: string | null; readonly until: IsoTime | null })
  /** A pause by the policy. Already done unless the queue is active. */
  | (Given & { readonly type: 'PauseAfterFailures'; readonly failure: QueueFailure })
  | (GivenTo & AmongOthers & { readonly type: 'ResumeQueue' })
  /** The end of a pause with a time. Already done unless a pause is over at `now`. */
  | (Given & AmongOthers & { readonly type: 'EndPause' })
  /** Already done unless the queue is waiting although everything it waits for is finished. */
  | (Given & AmongOthers & { readonly type: 'EndWait' })
  | (GivenTo & { readonly type: 'CloseIntake'; readonly reason: string | null })
  | (GivenTo & { readonly type: 'OpenIntake' })
  | (GivenTo & { readonly type: 'FinishQueue' })
  /** A finish by the policy. Already done unless the queue is active, finite and closed. */
  | (Given & { readonly type: 'FinishDrained' })
  | (GivenTo & AmongOthers & { readonly type: 'ReopenQueue' })
  | (GivenTo & { readonly type: 'DeleteQueue' });

export type QueueCommandType = QueueCommand['type'];

export type QueueCommandOf<T extends QueueCommandType> = Extract<QueueCommand, { readonly type: T }>;
