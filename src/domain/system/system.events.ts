import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** How the system drains. */
export interface Drain {
  /** Whether new tasks are accepted meanwhile. */
  readonly intake: 'open' | 'closed';
  /** `finish`: running tasks go on to their end. `cancel`: their workers are told to stop. */
  readonly running: 'finish' | 'cancel';
}

export const SYSTEM_EVENTS = {
  /** No task is given out from here on. Also recorded if the system goes on draining in another way. */
  SystemDrained: event<Drain & { readonly by: string; readonly reason: string | null; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  /** Nothing runs any more: the last task that ran when the system was drained has left its worker. Once a drain. */
  SystemQuiesced: event<{ readonly at: IsoTime }>({ version: 1, effects: [] }),
  /** Tasks are given out again. `stopped`: what was stopped by a shutdown before is retried. */
  SystemResumed: event<{ readonly stopped: boolean }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule'],
    command: 'single',
  }),
};

export type SystemEvent = EventsOf<typeof SYSTEM_EVENTS>;
