import { type Skipped, type TriggerEvent, waitsFor } from '../../../domain/trigger/trigger.events.js';
import type { Row } from '../row.js';

export const triggerRow = (events: readonly TriggerEvent[]): Row =>
  Object.assign({ name: events[0]!.data.trigger }, ...events.map(columnsOf)) as Row;

const NO_FAILURES = { failures: 0, problem: null, retry_at: null };
const NEVER_FIRED = { last_at: null, last_task: null, fired_at: null, last_item: null, up_to: null, skipped: null };

function schedule(...waiting: Parameters<typeof waitsFor>): Row {
  const { next, owed } = waitsFor(...waiting);
  return { next_at: next, owed };
}

function columnsOf(event: TriggerEvent): Row {
  switch (event.type) {
    case 'TriggerDefined': {
      const { definition, next, changesAfter } = event.data;
      return {
        state: 'enabled',
        definition,
        ...schedule(next),
        ...NO_FAILURES,
        ...NEVER_FIRED,
        ...toldUpTo(changesAfter),
      };
    }
    case 'TriggerChanged':
      return {
        definition: event.data.definition,
        ...schedule(event.data.next, event.data.owed),
        ...NO_FAILURES,
        ...toldUpTo(event.data.changesAfter),
      };
    case 'TriggerEnabled':
      return { state: 'enabled', ...schedule(event.data.next), ...NO_FAILURES };
    case 'TriggerDisabled':
      return { state: 'disabled', ...schedule(null), ...NO_FAILURES };
    case 'TriggerDeleted':
      return { state: 'deleted', ...schedule(null), ...NO_FAILURES };
    case 'TriggerFired': {
      const { firings, at, next, skipped } = event.data;
      const { occurrence, task, items, position, upTo } = firings.at(-1)!;
      const last = { last_at: occurrence, last_task: task, fired_at: at, ...(items && { last_item: items.at(-1) }) };
      if (position !== undefined) return { ...last, up_to: position, ...NO_FAILURES };
      if (next === undefined) return last;
      return { ...last, ...schedule(next), ...leftOut(skipped), ...NO_FAILURES, ...toldUpTo(upTo) };
    }
    case 'TriggerSkipped':
      return { ...schedule(event.data.next), ...leftOut(event.data.skipped), ...NO_FAILURES };
    case 'TriggerGaveUp':
      return {
        failures: event.data.failures,
        problem: event.data.problem,
        up_to: event.data.position,
        ...leftOut(event.data.skipped),
      };
    case 'TriggerFailed':
      return { failures: event.data.failures, problem: event.data.problem, retry_at: event.data.retryAt };
  }
}

const toldUpTo = (position: string | undefined): Row => (position === undefined ? {} : { up_to: position });

const leftOut = (skipped: Skipped | undefined): Row => (skipped ? { skipped } : {});
