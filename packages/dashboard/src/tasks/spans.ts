import type { EventView } from '@waybill/client';
import { beginsWait, endsTask, hasEffect } from '@waybill/client/words';

/** A part of a task's life. A task is delayed until it is due, and waits while a worker could claim it. */
export interface Span {
  readonly kind: 'delayed' | 'waiting' | 'running';
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  /** Its length according to the history, if an event records it. */
  readonly lastedMs?: number;
  /** The attempt of a running span. */
  readonly attempt?: number;
  readonly worker?: string;
  /** The event that ended it. */
  readonly end?: string;
}

interface Data {
  readonly attempt?: number;
  readonly worker?: string;
  readonly heldBy?: object;
  readonly dueAt?: string | null;
  readonly waitedMs?: number;
  readonly ranMs?: number;
}

/** When a task was delayed, waited and ran, according to its events. */
export function spansOf(events: readonly EventView[]): readonly Span[] {
  const spans: Span[] = [];
  let open: Span | null = null;
  let dueMs = 0;
  for (const event of events) {
    const atMs = Date.parse(event.recordedAt);
    const data = event.data as Data;
    const next = after(event, open);
    if (next !== undefined && open) spans.push(...closed(open, dueMs, atMs, event));
    if (data.dueAt !== undefined) dueMs = data.dueAt === null ? 0 : Date.parse(data.dueAt);
    if (next !== undefined) open = next && { ...next, fromMs: atMs, toMs: null };
  }
  if (open) spans.push(...closed(open, dueMs, null));
  return spans;
}

/** The span that begins with the event; null if none does, undefined if the current one continues. */
function after(event: EventView, open: Span | null): Pick<Span, 'kind' | 'attempt' | 'worker'> | null | undefined {
  const { attempt, worker, heldBy, dueAt } = event.data as Data;
  if (hasEffect(event, 'begins-run')) return { kind: 'running', attempt, worker };
  if (beginsWait(event)) return WAITING;
  if (hasEffect(event, 'ends-wait') || endsTask(event) || heldBy) return null;
  return dueAt !== undefined && open?.kind === 'waiting' ? WAITING : undefined;
}

const WAITING = { kind: 'waiting' } as const;

/** A span that ends as it begins is left out. Whether an open delay is over depends on the page's current time. */
function closed(open: Span, dueMs: number, toMs: number | null, by?: EventView): Span[] {
  if (open.kind === 'running') {
    return [{ ...open, toMs, ...(by && { end: by.type, lastedMs: (by.data as Data).ranMs }) }];
  }
  const { fromMs } = open;
  const delayMs = toMs === null ? dueMs : Math.min(dueMs, toMs);
  const delays = dueMs > fromMs && delayMs > fromMs;
  const waited: Span = {
    ...open,
    fromMs: delays ? delayMs : fromMs,
    toMs,
    ...(by && { end: by.type, lastedMs: (by.data as Data).waitedMs }),
  };
  return [
    ...(delays ? [{ kind: 'delayed', fromMs, toMs: delayMs } as const] : []),
    ...(waited.toMs === waited.fromMs ? [] : [waited]),
  ];
}
