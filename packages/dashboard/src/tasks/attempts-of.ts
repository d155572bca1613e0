import type { EventView } from '@waybill/client';
import { hasEffect } from '@waybill/client/words';

/** One run of a task, as its events tell it. */
export interface Attempt {
  readonly number: number;
  readonly worker: string;
  readonly ranMs?: number;
  readonly error?: { readonly class: string; readonly message: string; readonly details?: unknown };
  /** How it ended, in a word. */
  readonly end: string;
}

interface Data {
  readonly attempt?: number;
  readonly worker?: string;
  readonly ranMs?: number;
  readonly error?: Attempt['error'];
  readonly then?: string;
}

const ENDS: Readonly<Record<string, string>> = {
  TaskSucceeded: 'succeeded',
  TaskLeaseExpired: 'the worker was lost',
  TaskReturned: 'given back',
  TaskWaited: 'waits',
  TaskCancelConfirmed: 'cancelled',
  TaskAborted: 'aborted',
  TaskOverruled: 'overruled',
};

/** The attempts of a task, the first one first. */
export function attemptsOf(events: readonly EventView[]): Attempt[] {
  const attempts: Attempt[] = [];
  for (const event of events) {
    const { attempt: number, worker = '', ranMs, error, then } = event.data as Data;
    if (hasEffect(event, 'begins-run')) {
      attempts.push({ number: number ?? attempts.length + 1, worker, end: 'runs' });
      continue;
    }
    const last = attempts.at(-1);
    if (last?.end !== 'runs') continue;
    if (event.type === 'TaskAttemptFailed' || (event.type === 'TaskFailed' && error))
      attempts[attempts.length - 1] = { ...last, ranMs, error, end: 'failed' };
    else if (then === 'offer') attempts[attempts.length - 1] = { ...last, ranMs, end: 'completed its step' };
    else if (ENDS[event.type]) attempts[attempts.length - 1] = { ...last, ranMs, end: ENDS[event.type]! };
  }
  return attempts;
}
