import { event, type EventsOf } from '../kernel/event-declaration.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

export const BUILD_EVENTS = {
  /** A worker of this build got a task of the queue, for the first time. Its claims say the build, too. */
  BuildBegan: event<{
    readonly queue: string;
    readonly build: string;
    readonly worker: string;
    readonly server: string;
  }>({ version: 1, effects: [] }),
};

export type BuildEvent = EventsOf<typeof BUILD_EVENTS>;
