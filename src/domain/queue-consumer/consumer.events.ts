import { event, type EventsOf } from '../kernel/event-declaration.js';

// STORAGE FORMAT. Names, versions and shapes below are stored for ever: add events or upcast, never edit.
// Each event says who holds the queue after it, so that the last one of a stream is enough to decide on a claim.

/** A claim on a task of the queue, by its fencing token. */
export interface HeldTask {
  readonly taskId: string;
  readonly token: string;
  readonly worker: string;
  readonly server: string;
}

export const CONSUMER_EVENTS = {
  QueueTaken: event<{
    readonly queue: string;
    /** Grows with each change of the consumer. */
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
  }>({ version: 1, effects: [] }),
  /** The consumer before let its claim run out: its task is reset, and is the next to run. */
  QueueTakenOver: event<{
    readonly queue: string;
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
    readonly from: HeldTask;
  }>({ version: 1, effects: [] }),
  /** More than one task runs where only one may: somebody has to look. Nothing is given out meanwhile, and nothing reset. */
  QueueAnomalyFound: event<{ readonly queue: string; readonly epoch: number; readonly running: readonly HeldTask[] }>({
    version: 1,
    effects: [],
  }),
  /** Split brain: a consumer that lost the queue spoke up under its old claim. It was refused, once for each claim recorded. */
  QueueLateReportRefused: event<{
    readonly queue: string;
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
    readonly from: HeldTask;
    /** What it tried: `succeed`, `fail`, `extend` and so on. */
    readonly report: string;
    /** What the last takeover reset, if that was the last change of the consumer. */
    readonly reset?: HeldTask;
  }>({ version: 1, effects: [] }),
};

export type ConsumerEvent = EventsOf<typeof CONSUMER_EVENTS>;
export type QueueTaken = Extract<ConsumerEvent, { readonly type: 'QueueTaken' }>;
export type QueueAnomalyFound = Extract<ConsumerEvent, { readonly type: 'QueueAnomalyFound' }>;
