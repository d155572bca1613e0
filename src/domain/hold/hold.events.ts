import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** The tasks that a hold catches: those that have all of these labels, at least one. */
export interface HoldSelector {
  readonly labels: Readonly<Record<string, string>>;
}

export const HOLD_EVENTS = {
  /**
   * From here on, a task that matches is held instead of given out; with `forbidsErasure`, it is given out as ever, and what it was
   * about cannot be erased. Recorded again if any of it changes.
   */
  HoldPlaced: event<{
    readonly hold: string;
    readonly selector: HoldSelector;
    readonly by: string;
    readonly reason?: string;
    readonly forbidsErasure?: true;
    readonly at: IsoTime;
  }>({ version: 1, effects: [], command: 'single' }),
  /** It catches no more tasks. Those that it caught stay held. */
  HoldLifted: event<{ readonly hold: string; readonly by: string; readonly at: IsoTime }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
};

export type HoldEvent = EventsOf<typeof HOLD_EVENTS>;
