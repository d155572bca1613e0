import type { EventView } from '@waybill/client';
import { beginsWait, endsTask, hasEffect } from '@waybill/client/words';

/** A claim of a task by a worker, and what it came to. */
export interface Attempt {
  /** The task's stream. */
  readonly stream: string;
  readonly queue: string;
  readonly attempt: number;
  readonly token: string;
  readonly worker: string;
}

export type Outcome = 'succeeded' | 'failed' | 'aborted';

export type AttemptStep =
  | { readonly at: 'start'; readonly attempt: Attempt }
  | { readonly at: 'end'; readonly attempt: Attempt; readonly outcome: Outcome };

/** By event, what it made of the attempt that it ended. Others, such as a cancellation, abort it. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  TaskSucceeded: 'succeeded',
  TaskStepCompleted: 'succeeded',
  TaskAttemptFailed: 'failed',
  TaskFailed: 'failed',
  TaskLeaseExpired: 'failed',
};
const VERDICTS: Readonly<Record<string, Outcome>> = { succeed: 'succeeded', fail: 'failed' };

/** Tells where attempts start and end. It holds those that run. An attempt that began before the first event that it sees is not told. */
export class Attempts {
  private readonly running = new Map<string, Attempt>();

  /** Null if the event neither starts nor ends one. */
  step(event: EventView): AttemptStep | null {
    const { stream, data } = event;
    if (hasEffect(event, 'begins-run')) {
      const { queue, attempt, token, worker } = data as unknown as Omit<Attempt, 'stream'>;
      const started = { stream, queue, attempt, token, worker };
      this.running.set(stream, started);
      return { at: 'start', attempt: started };
    }
    const attempt = this.running.get(stream);
    if (!attempt || !endsAttempt(event)) return null;
    this.running.delete(stream);
    return { at: 'end', attempt, outcome: outcomeOf(event) };
  }
}

/** The success follows the completion of the last step in the same append. */
const endsAttempt = (event: EventView): boolean =>
  (beginsWait(event) || endsTask(event)) && event.data['then'] !== 'finish';

const outcomeOf = ({ type, data }: EventView): Outcome =>
  (type === 'TaskOverruled' ? VERDICTS[String(data['verdict'])] : OUTCOMES[type]) ?? 'aborted';
