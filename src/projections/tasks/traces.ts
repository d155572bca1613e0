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
    const traceId = envelope.traceparent?.split('-')[1];
    const { attempt = null } = event.data as { readonly attempt?: number };
    const isTold = revision === 0 || attempt !== null;
    if (traceId !== undefined && isTold && !traces.has(traceId)) traces.set(traceId, { traceId, attempt });
  }
  const all = [...traces.values()];
  return all.length <= MOST ? all : [all[0]!, ...all.slice(1 - MOST)];
}
