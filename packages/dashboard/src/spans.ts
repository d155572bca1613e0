import type { EventView } from '@waybill/client';

/** A stretch of a task's life. */
export interface Span {
  readonly kind: 'waiting' | 'running';
  readonly fromMs: number;
  /** Null: it still goes on. */
  readonly toMs: number | null;
  /** Of a running one. */
  readonly attempt?: number;
  readonly worker?: string;
  /** The event that ended it. */
  readonly end?: string;
}

const WAITS: readonly string[] = ['TaskEnqueued', 'TaskSubmitted', 'TaskReleased', 'TaskRetried'];

/** After which the task waits again, if nothing else follows at the same time. */
const GIVES_BACK: readonly string[] = [
  'TaskAttemptFailed',
  'TaskLeaseExpired',
  'TaskHandedBack',
  'TaskStepCompleted',
  'TaskOverruled',
];

const ENDS: readonly string[] = [
  'TaskHeld',
  'TaskErrored',
  'TaskFailed',
  'TaskSucceeded',
  'TaskCancelConfirmed',
  'TaskCancelled',
  'TaskAborted',
  'TaskSuperseded',
  'TaskDeleted',
];

interface Claim {
  readonly attempt?: number;
  readonly worker?: string;
  readonly then?: string;
  readonly verdict?: string;
}

/** When a task waited and when it ran, told by its events. */
export function spansOf(events: readonly EventView[]): readonly Span[] {
  const spans: Span[] = [];
  const end = (toMs: number, type: string): void => {
    const open = spans.at(-1);
    if (open && open.toMs === null) spans[spans.length - 1] = { ...open, toMs, end: type };
  };
  for (const { type, recordedAt, data } of events) {
    const atMs = Date.parse(recordedAt);
    const { attempt, worker, then, verdict } = data as Claim;
    if (type === 'TaskClaimed') {
      end(atMs, type);
      spans.push({ kind: 'running', fromMs: atMs, toMs: null, attempt, worker });
    } else if (WAITS.includes(type)) {
      end(atMs, type);
      spans.push({ kind: 'waiting', fromMs: atMs, toMs: null });
    } else if (GIVES_BACK.includes(type) && then !== 'continue') {
      end(atMs, type);
      if (then !== 'finish' && verdict !== 'succeed' && verdict !== 'fail')
        spans.push({ kind: 'waiting', fromMs: atMs, toMs: null });
    } else if (ENDS.includes(type)) {
      end(atMs, type);
    }
  }
  // What followed at the same time left no time to wait.
  return spans.filter(({ kind, fromMs, toMs }) => kind === 'running' || toMs !== fromMs);
}
