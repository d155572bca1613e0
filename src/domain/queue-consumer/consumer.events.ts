import { event, type EventsOf } from '../kernel/event-declaration.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.
// Each event names the consumer after it, so the last event of a stream is enough to decide on a claim.

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
  /** The previous consumer let its claim expire. Its task is reset and runs next. */
  QueueTakenOver: event<{
    readonly queue: string;
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
    readonly from: HeldTask;
  }>({ version: 1, effects: [] }),
  /** More than one task runs in a serial queue, which needs attention. Until that ends, no task is given out and none is reset. */
  QueueAnomalyFound: event<{ readonly queue: string; readonly epoch: number; readonly running: readonly HeldTask[] }>({
    version: 1,
    effects: [],
  }),
  /** Split brain: a consumer that lost the queue reported under its old claim. Every such report is refused; the first of each claim is recorded. */
  QueueLateReportRefused: event<{
    readonly queue: string;
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
    readonly from: HeldTask;
    /** The report: `succeed`, `fail`, `extend` and so on. */
    readonly report: string;
    /** The claim that the last takeover reset, if the consumer has not changed since. */
    readonly reset?: HeldTask;
  }>({ version: 1, effects: [] }),
};

export type ConsumerEvent = EventsOf<typeof CONSUMER_EVENTS>;
export type QueueTaken = Extract<ConsumerEvent, { readonly type: 'QueueTaken' }>;
export type QueueAnomalyFound = Extract<ConsumerEvent, { readonly type: 'QueueAnomalyFound' }>;
