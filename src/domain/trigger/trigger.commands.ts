import type { IsoTime } from '../kernel/json.js';
import type { Firing, FiringProblem, TriggerDefinition } from './trigger.events.js';

/** `next`: the first occurrence after now; null if the trigger waits for events. */
export type TriggerCommand = { readonly trigger: string } & (
  | { readonly type: 'DefineTrigger'; readonly definition: TriggerDefinition; readonly next: IsoTime | null }
  | { readonly type: 'EnableTrigger'; readonly next: IsoTime | null }
  | { readonly type: 'DisableTrigger' }
  | { readonly type: 'DeleteTrigger' }
  /** A person fired it. The task exists. */
  | { readonly type: 'RecordManualFiring'; readonly firing: Firing; readonly at: IsoTime }
  /** Its occurrences from `from` on came, and the tasks exist. Already done unless `from` is what the trigger waits for. */
  | (Due & { readonly type: 'RecordFirings'; readonly firings: readonly Firing[]; readonly at: IsoTime } & Next)
  | (Due & { readonly type: 'SkipOccurrence' } & Next)
  /** Events came, in this order, and the tasks exist. Those up to the last recorded one are left out. */
  | { readonly type: 'RecordEventFirings'; readonly firings: readonly EventFiring[]; readonly at: IsoTime }
  /** An event came, and its task was refused. */
  | {
      readonly type: 'GiveUpEvent';
      readonly occurrence: IsoTime;
      readonly position: string;
      readonly problem: FiringProblem;
    }
  | (Due & { readonly type: 'RecordFailure'; readonly problem: FiringProblem; readonly at: IsoTime })
);

export type EventFiring = Firing & { readonly position: string };

interface Due {
  readonly from: IsoTime;
}

interface Next {
  readonly next: IsoTime;
}

export type TriggerCommandType = TriggerCommand['type'];
export type TriggerCommandOf<T extends TriggerCommandType> = Extract<TriggerCommand, { readonly type: T }>;
