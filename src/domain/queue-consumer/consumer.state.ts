import type { ConsumerEvent, HeldTask, QueueAnomalyFound } from './consumer.events.js';

export interface FreeConsumer {
  readonly status: 'free';
}
/** A consumer keeps the queue until another one takes it, even while it has no task. */
export interface HeldConsumer {
  readonly status: 'held';
  readonly epoch: number;
  readonly worker: string;
  readonly server: string;
  /** The claim that the last takeover reset. Its task runs first, until it is claimed again. */
  readonly reset: HeldTask | null;
  /** The newest claims that were taken over and have sent no late report. Most never send one, so older ones are forgotten. */
  readonly fencedClaims: readonly HeldTask[];
}
export interface ConflictedConsumer {
  readonly status: 'conflicted';
  readonly epoch: number;
  readonly running: readonly HeldTask[];
  readonly fencedClaims: readonly HeldTask[];
}

/** How many claims that were taken over are remembered. A late report of an older one is refused, but not recorded. */
export const MOST_FENCED = 100;

export type ConsumerState = FreeConsumer | HeldConsumer | ConflictedConsumer;

export function evolveConsumer(state: ConsumerState, event: ConsumerEvent): ConsumerState {
  const { epoch } = event.data;
  const fencedClaims = fencedClaimsAfter(event, state.status === 'free' ? [] : state.fencedClaims);
  if (event.type === 'QueueAnomalyFound')
    return { status: 'conflicted', epoch, running: event.data.running, fencedClaims };
  const { worker, server } = event.data;
  return { status: 'held', epoch, worker, server, reset: resetAfter(event), fencedClaims };
}

function resetAfter(event: Exclude<ConsumerEvent, QueueAnomalyFound>): HeldTask | null {
  if (event.type === 'QueueTakenOver') return event.data.from;
  return event.type === 'QueueLateReportRefused' ? (event.data.reset ?? null) : null;
}

function fencedClaimsAfter(event: ConsumerEvent, before: readonly HeldTask[]): readonly HeldTask[] {
  if (event.type === 'QueueTakenOver') return [...before.slice(1 - MOST_FENCED), event.data.from];
  if (event.type !== 'QueueLateReportRefused') return before;
  return before.filter(({ token }) => token !== event.data.from.token);
}
