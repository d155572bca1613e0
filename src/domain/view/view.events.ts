import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** Which tasks a view shows, and in which order: what a list of tasks is asked by. */
export interface ViewDefinition {
  /** A search in its text; empty if every task matches. Its times stay as they are written, so that `since:2h` is always the last two hours. */
  readonly q: string;
  /** Only open tasks whose deadline has passed. */
  readonly overdue: boolean;
  /** Null: as the list is without it. */
  readonly sort: 'deadline' | 'newest' | null;
}

export const VIEW_EVENTS = {
  /** From here on, everybody finds it under its name. Recorded again if what it shows changes. */
  ViewSaved: event<{
    readonly view: string;
    readonly definition: ViewDefinition;
    readonly by: string;
    readonly at: IsoTime;
  }>({ version: 1, effects: [], command: 'single' }),
  /** It can be saved anew. */
  ViewDeleted: event<{ readonly view: string; readonly by: string; readonly at: IsoTime }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
};

export type ViewEvent = EventsOf<typeof VIEW_EVENTS>;
