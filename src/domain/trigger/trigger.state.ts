import type { IsoTime } from '../kernel/json.js';
import type { Firing, TriggerDefinition, TriggerEvent } from './trigger.events.js';

export interface KnownTrigger {
  readonly status: 'enabled' | 'disabled';
  readonly definition: TriggerDefinition;
  /**
   * The first occurrence that has not fired, or the next look into a queue; null while the trigger is disabled. A look that
   * finds nothing is no event, and moves this in the row alone.
   */
  readonly next: IsoTime | null;
  readonly last: Firing | null;
  /** The position of the last event that it has dealt with. Decimal; null before the first. */
  readonly upTo: string | null;
  /** How often it failed in a row. */
  readonly failures: number;
}

export type TriggerState = { readonly status: 'unknown' | 'deleted' } | KnownTrigger;

/** Throws if the stream is broken: an event of a trigger that does not exist. */
export function evolveTrigger(state: TriggerState, event: TriggerEvent): TriggerState {
  if (event.type === 'TriggerDefined') {
    const { definition, next } = event.data;
    return { status: 'enabled', definition, next, last: null, upTo: null, failures: 0 };
  }
  if (!('definition' in state))
    throw new Error(`Expected a trigger to be defined before '${event.type}', but it is ${state.status}`);
  return next(state, event);
}

function next(state: KnownTrigger, event: Exclude<TriggerEvent, { readonly type: 'TriggerDefined' }>): TriggerState {
  switch (event.type) {
    case 'TriggerChanged':
      return { ...state, definition: event.data.definition, next: event.data.next, failures: 0 };
    case 'TriggerEnabled':
      return { ...state, status: 'enabled', next: event.data.next, failures: 0 };
    case 'TriggerDisabled':
      return { ...state, status: 'disabled', next: null, failures: 0 };
    case 'TriggerDeleted':
      return { status: 'deleted' };
    case 'TriggerFired': {
      const last = event.data.firings.at(-1) ?? state.last;
      if (last?.position !== undefined) return { ...state, last, upTo: last.position, failures: 0 };
      return event.data.next === undefined
        ? { ...state, last }
        : { ...state, last, next: event.data.next, failures: 0 };
    }
    case 'TriggerSkipped':
      return { ...state, next: event.data.next, failures: 0 };
    case 'TriggerGaveUp':
      return { ...state, upTo: event.data.position, failures: event.data.failures };
    case 'TriggerFailed':
      return { ...state, failures: event.data.failures };
  }
}
