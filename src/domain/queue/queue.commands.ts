import type { IsoTime } from '../kernel/json.js';
import type { AwaitedQueue } from './dependencies.js';
import type { QueueFailure } from './queue.events.js';
import type { QueuePolicy, ValueLimits } from './queue.policy.js';

interface CommandInput {
  readonly now: IsoTime;
  readonly by: string;
}

/** A command on a queue that is expected to exist: a refusal names it. */
interface CommandOnQueue extends CommandInput {
  readonly queue: string;
}

/** A command that may make a queue active or waiting needs all queues that it waits for, directly or through others. */
interface AmongOthers {
  readonly awaited: readonly AwaitedQueue[];
}

interface LimitedValue {
  readonly label: string;
  /** Null: each value that has no limits of its own, and the tasks without the label. */
  readonly value: string | null;
}

export type QueueCommand =
  | (CommandInput &
      AmongOthers & {
        readonly type: 'DefineQueue';
        readonly name: string;
        readonly description: string;
        readonly policy: QueuePolicy;
        /** Replaces the policy of an existing queue, which otherwise stays unchanged. */
        readonly replace: boolean;
      })
  | (CommandOnQueue &
      AmongOthers & {
        readonly type: 'ChangePolicy';
        readonly description: string;
        readonly policy: QueuePolicy;
        /** The version that the caller has read; null changes any version. */
        readonly ifVersion: number | null;
      })
  /** Limits one value of a label, or each value without limits of its own. Limits that it leaves out stay. */
  | (CommandOnQueue & LimitedValue & { readonly type: 'SetLimit'; readonly limits: ValueLimits })
  /** Takes these limits away. */
  | (CommandOnQueue & LimitedValue & { readonly type: 'UnsetLimit' })
  | (CommandOnQueue & { readonly type: 'PauseQueue'; readonly reason: string | null; readonly until: IsoTime | null })
  /** A pause by the policy. Already done unless the queue is active. */
  | (CommandInput & { readonly type: 'PauseAfterFailures'; readonly failure: QueueFailure })
  | (CommandOnQueue & AmongOthers & { readonly type: 'ResumeQueue' })
  /** The end of a pause with a time. Already done unless a pause is over at `now`. */
  | (CommandInput & AmongOthers & { readonly type: 'EndPause' })
  /** Already done unless the queue is waiting although everything it waits for is finished. */
  | (CommandInput & AmongOthers & { readonly type: 'EndWait' })
  | (CommandOnQueue & { readonly type: 'CloseIntake'; readonly reason: string | null })
  | (CommandOnQueue & { readonly type: 'OpenIntake' })
  | (CommandOnQueue & { readonly type: 'FinishQueue' })
  /** A finish by the policy. Already done unless the queue is active, finite and closed. */
  | (CommandInput & { readonly type: 'FinishDrained' })
  | (CommandOnQueue & AmongOthers & { readonly type: 'ReopenQueue' })
  | (CommandOnQueue & { readonly type: 'DeleteQueue' });

export type QueueCommandType = QueueCommand['type'];

export type QueueCommandOf<T extends QueueCommandType> = Extract<QueueCommand, { readonly type: T }>;
