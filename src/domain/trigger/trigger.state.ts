import type { IsoTime } from '../kernel/json.js';
import {
  type Firing,
  type Owed,
  type Skipped,
  type TriggerDefinition,
  type TriggerEvent,
  waitsFor,
} from './trigger.events.js';

export interface KnownTrigger {
  readonly status: 'enabled' | 'disabled';
  readonly definition: TriggerDefinition;
  /**
   * The first occurrence that has not fired, or the next poll of a queue; null while the trigger is disabled. A poll that
   * finds nothing is no event, and moves this in the row alone.
   */
  readonly next: IsoTime | null;
  /** Null unless the pattern changed while occurrences were open. */
  readonly owed: Owed | null;
  /** What `missed` left out last, or too many events that it owed. */
  readonly skipped: Skipped | null;
  readonly last: Firing | null;
  /** The position of the last event that it has dealt with, or up to which it has told what changed. Decimal; null before the first. */
  readonly upTo: string | null;
  /** How often it failed in a row. */
  readonly failures: number;
}

export type TriggerState = { readonly status: 'unknown' | 'deleted' } | KnownTrigger;

/** Throws if the stream is broken: an event of a trigger that does not exist. */
export function evolveTrigger(state: TriggerState, event: TriggerEvent): TriggerState {
  if (event.type === 'TriggerDefined') {
    const { definition, next, changesAfter: upTo = null } = event.data;
    return { status: 'enabled', definition, ...waitsFor(next), skipped: null, last: null, upTo, failures: 0 };
  }
  if (!('definition' in state))
    throw new Error(`Expected a trigger to be defined before '${event.type}', but it is ${state.status}`);
  return next(state, event);
}

function next(state: KnownTrigger, event: Exclude<TriggerEvent, { readonly type: 'TriggerDefined' }>): TriggerState {
  switch (event.type) {
    case 'TriggerChanged':
      return {
        ...state,
        definition: event.data.definition,
        ...waitsFor(event.data.next, event.data.owed),
        upTo: event.data.changesAfter ?? state.upTo,
        failures: 0,
      };
    case 'TriggerEnabled':
      return { ...state, status: 'enabled', ...waitsFor(event.data.next), failures: 0 };
    case 'TriggerDisabled':
      return { ...state, status: 'disabled', ...waitsFor(null), failures: 0 };
    case 'TriggerDeleted':
      return { status: 'deleted' };
    case 'TriggerFired': {
      const last = event.data.firings.at(-1) ?? state.last;
      if (last?.position !== undefined) return { ...state, last, upTo: last.position, failures: 0 };
      const { next, skipped = state.skipped } = event.data;
      if (next === undefined) return { ...state, last };
      return { ...state, last, ...waitsFor(next), upTo: last?.upTo ?? state.upTo, skipped, failures: 0 };
    }
    case 'TriggerSkipped': {
      const { next, skipped = state.skipped } = event.data;
      return { ...state, ...waitsFor(next), skipped, failures: 0 };
    }
    case 'TriggerGaveUp':
      return {
        ...state,
        upTo: event.data.position,
        failures: event.data.failures,
        skipped: event.data.skipped ?? state.skipped,
      };
    case 'TriggerFailed':
      return { ...state, failures: event.data.failures };
  }
}
