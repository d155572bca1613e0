import type { EventView } from '@waybill/client';
import { beginsWait, endsTask, hasEffect } from '@waybill/client/words';

/** A stretch of a task's life. Waiting is what a worker could have ended; before its time a task is delayed. */
export interface Span {
  readonly kind: 'delayed' | 'waiting' | 'running';
  readonly fromMs: number;
  /** Null: it still goes on. */
  readonly toMs: number | null;
  /** How long it took as the history says; only where an event says so. */
  readonly lastedMs?: number;
  /** Of a running one. */
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

/** When a task was delayed, when it waited and when it ran, told by its events. */
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

/** What begins with the event; null: nothing does, undefined: what was there goes on. */
function after(event: EventView, open: Span | null): Pick<Span, 'kind' | 'attempt' | 'worker'> | null | undefined {
  const { attempt, worker, heldBy, dueAt } = event.data as Data;
  if (hasEffect(event, 'begins-run')) return { kind: 'running', attempt, worker };
  if (beginsWait(event)) return WAITING;
  if (hasEffect(event, 'ends-wait') || endsTask(event) || heldBy) return null;
  return dueAt !== undefined && open?.kind === 'waiting' ? WAITING : undefined;
}

const WAITING = { kind: 'waiting' } as const;

/** What follows at the same time leaves no time to wait. The page's own `now` says whether an open delay is over. */
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
