import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** How a system drains. No task is given out meanwhile. */
export interface Drain {
  /** Whether new tasks are refused. */
  readonly intake: 'open' | 'closed';
  /** Whether running tasks may finish, or are asked to stop. */
  readonly running: 'finish' | 'cancel';
  readonly reason: string | null;
}

export const SYSTEM_EVENTS = {
  /** Also recorded if a drain goes on otherwise. */
  DrainBegan: event<Drain & { readonly id: string; readonly by: string; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** `resume`: the tasks that the drain stopped are retried. */
  DrainEnded: event<{ readonly id: string; readonly resume: boolean }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule'],
  }),
};

export type SystemEvent = EventsOf<typeof SYSTEM_EVENTS>;
