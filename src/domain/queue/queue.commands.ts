import type { IsoTime } from '../kernel/json.js';
import type { QueuePolicy } from './queue.policy.js';

interface Given {
  readonly now: IsoTime;
  readonly by: string;
}

export type QueueCommand =
  | (Given & {
      readonly type: 'DefineQueue';
      readonly name: string;
      readonly description: string;
      readonly policy: QueuePolicy;
    })
  | (Given & {
      readonly type: 'ChangePolicy';
      readonly description: string;
      readonly policy: QueuePolicy;
      /** The version the caller has seen; null changes whatever stands. */
      readonly ifVersion: number | null;
    })
  | (Given & { readonly type: 'PauseQueue'; readonly reason: string | null; readonly until: IsoTime | null })
  | (Given & { readonly type: 'ResumeQueue' })
  /** The clock's side of a pause with an end: refused silently (already done) unless the pause is over at `now`. */
  | (Given & { readonly type: 'EndPause' })
  | (Given & { readonly type: 'CloseIntake'; readonly reason: string | null })
  | (Given & { readonly type: 'OpenIntake' })
  | (Given & { readonly type: 'FinishQueue' })
  | (Given & { readonly type: 'ReopenQueue' })
  | (Given & { readonly type: 'DeleteQueue' });

export type QueueCommandType = QueueCommand['type'];

export type QueueCommandOf<T extends QueueCommandType> = Extract<QueueCommand, { readonly type: T }>;
