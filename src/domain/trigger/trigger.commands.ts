import type { IsoTime } from '../kernel/json.js';
import type { Firing, FiringProblem, TriggerDefinition } from './trigger.events.js';

/** `next`: the first occurrence after now. */
export type TriggerCommand = { readonly trigger: string } & (
  | { readonly type: 'DefineTrigger'; readonly definition: TriggerDefinition; readonly next: IsoTime }
  | { readonly type: 'EnableTrigger'; readonly next: IsoTime }
  | { readonly type: 'DisableTrigger' }
  | { readonly type: 'DeleteTrigger' }
  /** A person fired it. The task exists. */
  | { readonly type: 'RecordManualFiring'; readonly firing: Firing; readonly at: IsoTime }
  /** Its occurrences from `from` on came, and the tasks exist. Already done unless `from` is what the trigger waits for. */
  | (Due & { readonly type: 'RecordFirings'; readonly firings: readonly Firing[]; readonly at: IsoTime } & Next)
  | (Due & { readonly type: 'SkipOccurrence' } & Next)
  | (Due & { readonly type: 'RecordFailure'; readonly problem: FiringProblem; readonly at: IsoTime })
);

interface Due {
  readonly from: IsoTime;
}

interface Next {
  readonly next: IsoTime;
}

export type TriggerCommandType = TriggerCommand['type'];
export type TriggerCommandOf<T extends TriggerCommandType> = Extract<TriggerCommand, { readonly type: T }>;
