import type { IsoTime } from '../kernel/json.js';
import type { HeldTask } from './consumer.events.js';

/** A claim that stands, as seen under the queue's lock. */
export interface StandingClaim extends HeldTask {
  readonly until: IsoTime;
  /** Its time is over, by the database's clock. */
  readonly overdue: boolean;
}

export type ConsumerCommand =
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

export type ConsumerCommandOf<T extends ConsumerCommand['type']> = Extract<ConsumerCommand, { readonly type: T }>;
