import { cycleThrough } from '../kernel/cycle.js';
import type { TriggerDefinition } from './trigger.events.js';

/** A trigger leads from the queue whose tasks or events set it off to the queue that its tasks are in. */
interface Lead {
  readonly from: string;
  readonly to: string;
}

/**
 * The queues that a trigger of this definition would lead around, whatever kinds of triggers the way has; null if there are
 * none. A task in one of them would make tasks for ever.
 */
export function circleThrough(
  definition: TriggerDefinition,
  others: readonly TriggerDefinition[],
): readonly string[] | null {
  const own = leadOf(definition);
  if (own === null) return null;
  const leads = [own, ...others.flatMap((one) => leadOf(one) ?? [])];
  return cycleThrough(own.from, (queue) => leads.flatMap(({ from, to }) => (from === queue ? [to] : [])));
}

/** Times set off a trigger without a queue, and a delivery leads nowhere. */
function leadOf(definition: TriggerDefinition): Lead | null {
  if (!('task' in definition)) return null;
  const from = 'queue' in definition ? definition.queue : 'event' in definition ? definition.event.queue : undefined;
  return from === undefined ? null : { from, to: definition.task.queue };
}
