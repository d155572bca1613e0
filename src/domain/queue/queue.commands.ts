import type { IsoTime } from '../kernel/json.js';
import type { QueuePolicy } from './queue.policy.js';

interface Given {
  readonly now: IsoTime;
  readonly by: string;
}

/** A command on a queue that is expected to exist: a refusal names it. */
interface GivenTo extends Given {
  readonly queue: string;
}

export type QueueCommand =
  | (Given & {
      readonly type: 'DefineQueue';
      readonly name: string;
      readonly description: string;
      readonly policy: QueuePolicy;
    })
  | (GivenTo & {
      readonly type: 'ChangePolicy';
      readonly description: string;
      readonly policy: QueuePolicy;
      /** The version the caller has seen; null changes whatever stands. */
      readonly ifVersion: number | null;
    })
  | (GivenTo & { readonly type: 'PauseQueue'; readonly reason: string | null; readonly until: IsoTime | null })
  | (GivenTo & { readonly type: 'ResumeQueue' })
  /** The clock's side of a pause with an end: already done unless a pause is over at `now`. */
  | (Given & { readonly type: 'EndPause' })
  | (GivenTo & { readonly type: 'CloseIntake'; readonly reason: string | null })
  | (GivenTo & { readonly type: 'OpenIntake' })
  | (GivenTo & { readonly type: 'FinishQueue' })
  | (GivenTo & { readonly type: 'ReopenQueue' })
  | (GivenTo & { readonly type: 'DeleteQueue' });

export type QueueCommandType = QueueCommand['type'];

export type QueueCommandOf<T extends QueueCommandType> = Extract<QueueCommand, { readonly type: T }>;
