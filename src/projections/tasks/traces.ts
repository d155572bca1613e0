import { traceIdOf } from '../../domain/kernel/trace-id.js';
import type { Recorded } from '../kernel/event-log.port.js';

/** A trace within which the task was submitted, or one of its attempts ran. */
export interface TaskTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** From 1; null for the submission. */
  readonly attempt: number | null;
}

/** The submission, and the last attempts. */
const MOST = 10;

/** The traces that the events of a task name, each once, the first first: of the submission, and of its last attempts. */
export function tracesOf(events: readonly Recorded[]): readonly TaskTrace[] {
  const traces = new Map<string, TaskTrace>();
  for (const { revision, event, envelope } of events) {
    const { attempt = null } = event.data as { readonly attempt?: number };
    if (envelope.traceparent === undefined || (revision !== 0 && attempt === null)) continue;
    const traceId = traceIdOf(envelope.traceparent);
    if (!traces.has(traceId)) traces.set(traceId, { traceId, attempt });
  }
  const all = [...traces.values()];
  return all.length <= MOST ? all : [all[0]!, ...all.slice(1 - MOST)];
}
