import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

export interface ResourceDefinition {
  readonly description: string;
  /** What its gauge counts, for people. */
  readonly unit: string | null;
  /** A measure that is older says nothing: the resource is short. */
  readonly staleAfterSeconds: number;
}

export const RESOURCE_EVENTS = {
  /** Recorded again if its definition changes. */
  ResourceDefined: event<{
    readonly resource: string;
    readonly definition: ResourceDefinition;
    readonly by: string;
    readonly at: IsoTime;
  }>({ version: 1, effects: [], command: 'single' }),
  /**
   * Its gauge is not below these limits any more, which steps of queues set. `value`: null if the last measure is too old,
   * so it is short by every limit.
   */
  ResourceShort: event<{
    readonly resource: string;
    readonly value: number | null;
    readonly limits: readonly number[];
    readonly at: IsoTime;
  }>({ version: 1, effects: [] }),
  /** Its gauge is below these limits again, or for the first time. */
  ResourceFree: event<{
    readonly resource: string;
    readonly value: number;
    readonly limits: readonly number[];
    readonly at: IsoTime;
  }>({ version: 1, effects: ['changes-schedule'] }),
  /** It can be defined anew. */
  ResourceDeleted: event<{ readonly resource: string; readonly by: string; readonly at: IsoTime }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
};

export type ResourceEvent = EventsOf<typeof RESOURCE_EVENTS>;
