import type { IsoTime } from '../kernel/json.js';
import type { OpenOccurrences } from './open-occurrences.js';
import type { Firing, FiringProblem, LeftOut, TriggerDefinition } from './trigger.events.js';

/**
 * `next`: the first occurrence after now; null if the trigger waits for events. `open`: what has come and has not fired; null
 * if nothing has. `head`: the end of the log, after which a trigger begins to tell what changes.
 */
export type TriggerCommand = { readonly trigger: string } & (
  | ({
      readonly type: 'DefineTrigger';
      readonly definition: TriggerDefinition;
      readonly next: IsoTime | null;
      readonly head: string;
    } & Open)
  | { readonly type: 'EnableTrigger'; readonly next: IsoTime | null }
  | ({ readonly type: 'DisableTrigger' } & Open)
  | ({ readonly type: 'DeleteTrigger' } & Open)
  /** A person fired it. The task exists. */
  | { readonly type: 'RecordManualFiring'; readonly firing: Firing; readonly at: IsoTime }
  /**
   * Its occurrences from `from` on came, and the tasks exist. Already done unless `from` is what the trigger waits for, by the
   * same definition.
   */
  | (Due & { readonly type: 'RecordFirings'; readonly firings: readonly Firing[]; readonly at: IsoTime } & Next &
      Skipping)
  | (Due & { readonly type: 'SkipOccurrence' } & Next & Skipping)
  /** Events came, in this order. Those up to the last recorded one are left out, unless they are late. */
  | { readonly type: 'RecordEvents'; readonly outcomes: readonly EventOutcome[]; readonly at: IsoTime }
  /** It owes tasks of so many events that it makes none of those up to this position. Already done if it has dealt with them. */
  | { readonly type: 'DropEvents'; readonly position: string; readonly dropped: LeftOut; readonly at: IsoTime }
  | (Due & { readonly type: 'RecordFailure'; readonly problem: FiringProblem; readonly at: IsoTime })
);

/**
 * What became of an event: its task exists, or was refused. `isLate`: later ones may have been recorded before, because the log
 * did not deliver this one in its place.
 */
export type EventOutcome = { readonly occurrence: IsoTime; readonly position: string; readonly isLate?: true } & (
  | { readonly task: string }
  | { readonly problem: FiringProblem }
);

interface Open {
  readonly open: OpenOccurrences | null;
}

interface Due {
  readonly from: IsoTime;
  readonly definition: TriggerDefinition;
}

interface Skipping {
  readonly skipped?: LeftOut;
}

interface Next {
  readonly next: IsoTime;
}

export type TriggerCommandType = TriggerCommand['type'];
export type TriggerCommandOf<T extends TriggerCommandType> = Extract<TriggerCommand, { readonly type: T }>;
