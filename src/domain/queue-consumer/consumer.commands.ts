import type { IsoTime } from '../kernel/json.js';
import type { HeldTask } from './consumer.events.js';

/** A current claim, as seen under the queue's lock. */
export interface StandingClaim extends HeldTask {
  readonly until: IsoTime;
  /** Whether its deadline has passed by the database's clock. */
  readonly overdue: boolean;
  /** Whether no heartbeat came since the claim. */
  readonly unheard?: boolean;
}

export type ConsumerCommand =
  | {
      readonly type: 'TakeQueue';
      readonly queue: string;
      readonly worker: string;
      readonly server: string;
      readonly running: readonly StandingClaim[];
    }
  /** Already done unless the claim was taken over and this is its first report since. */
  | {
      readonly type: 'RefuseLateReport';
      readonly queue: string;
      readonly taskId: string;
      readonly token: string;
      readonly report: string;
    };

export type ConsumerCommandOf<T extends ConsumerCommand['type']> = Extract<ConsumerCommand, { readonly type: T }>;
