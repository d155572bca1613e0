import type { EventFilter, ShownEvent } from './event-store.port.js';
import { categoryOf } from '../../domain/aggregates.js';

/** Whether the event passes the filter, as far as it can be read. */
export function passes({ stream, event, envelope, unreadable }: ShownEvent, filter: EventFilter): boolean {
  const { stream: only, categories, types, queue, actor, build, policyVersion } = filter;
  if (only !== undefined && stream !== only) return false;
  if (categories && !categories.includes(categoryOf(stream))) return false;
  if (types && !types.includes(event.type)) return false;
  if (unreadable !== undefined) return true;
  if (actor !== undefined && envelope.actor !== actor) return false;
  if (policyVersion !== undefined && envelope.policyVersion !== policyVersion) return false;
  if (build !== undefined && (event.data as { build?: string }).build !== build) return false;
  return queue === undefined || (event.data as { queue?: string }).queue === queue;
}
