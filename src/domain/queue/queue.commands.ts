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

/** What may make a queue active, or make it wait, is decided with all queues in view that it waits for, through others too. */
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
        /** Changes a queue that stands to this definition; otherwise that one is kept. */
        readonly replace: boolean;
      })
  | (GivenTo &
      AmongOthers & {
        readonly type: 'ChangePolicy';
        readonly description: string;
        readonly policy: QueuePolicy;
        /** The version the caller has seen; null changes whatever stands. */
        readonly ifVersion: number | null;
      })
  | (GivenTo & { readonly type: 'PauseQueue'; readonly reason: string | null; readonly until: IsoTime | null })
  /** The policy's side of a pause: already done unless the queue is active. */
  | (Given & { readonly type: 'PauseAfterFailures'; readonly failure: QueueFailure })
  | (GivenTo & AmongOthers & { readonly type: 'ResumeQueue' })
  /** The clock's side of a pause with an end: already done unless a pause is over at `now`. */
  | (Given & AmongOthers & { readonly type: 'EndPause' })
  /** Already done unless the queue waits, and for nothing any more. */
  | (Given & AmongOthers & { readonly type: 'EndWait' })
  | (GivenTo & { readonly type: 'CloseIntake'; readonly reason: string | null })
  | (GivenTo & { readonly type: 'OpenIntake' })
  | (GivenTo & { readonly type: 'FinishQueue' })
  /** The policy's side of finishing: already done unless the queue is active, finite and closed. */
  | (Given & { readonly type: 'FinishDrained' })
  | (GivenTo & AmongOthers & { readonly type: 'ReopenQueue' })
  | (GivenTo & { readonly type: 'DeleteQueue' });

export type QueueCommandType = QueueCommand['type'];

export type QueueCommandOf<T extends QueueCommandType> = Extract<QueueCommand, { readonly type: T }>;
