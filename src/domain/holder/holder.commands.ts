import type { IsoTime } from '../kernel/json.js';
import type { HeldTask } from './holder.events.js';

/** A claim that stands, as seen under the queue's lock. */
export interface StandingClaim extends HeldTask {
  readonly until: IsoTime;
  /** Its time is over, by the database's clock. */
  readonly overdue: boolean;
}

export type HolderCommand =
  | {
      readonly type: 'TakeQueue';
      readonly queue: string;
      readonly worker: string;
      readonly server: string;
      readonly running: readonly StandingClaim[];
    }
  /** Already done unless the claim was taken over, and is heard of for the first time since. */
  | {
      readonly type: 'RefuseLateReport';
      readonly queue: string;
      readonly taskId: string;
      readonly token: string;
      readonly report: string;
    };

export type HolderCommandOf<T extends HolderCommand['type']> = Extract<HolderCommand, { readonly type: T }>;
