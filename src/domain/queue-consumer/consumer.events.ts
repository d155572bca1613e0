// STORAGE FORMAT. Names, versions and shapes below are stored for ever: add events or upcast, never edit.
// Each event says who holds the queue after it, so that the last one of a stream is enough to decide on a claim.

/** A claim on a task of the queue, by its fencing token. */
export interface HeldTask {
  readonly taskId: string;
  readonly token: string;
  readonly worker: string;
  readonly server: string;
}

export type QueueTaken = {
  readonly type: 'QueueTaken';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    /** Grows with each change of the consumer. */
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
  };
};
/** The consumer before let its claim run out: its task is reset, and is the next to run. */
export type QueueTakenOver = {
  readonly type: 'QueueTakenOver';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
    readonly from: HeldTask;
  };
};
/** More than one task runs where only one may: somebody has to look. Nothing is given out meanwhile, and nothing reset. */
export type QueueAnomalyFound = {
  readonly type: 'QueueAnomalyFound';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly epoch: number; readonly running: readonly HeldTask[] };
};

/** Split brain: a consumer that lost the queue spoke up under its old claim. It was refused, once for each claim recorded. */
export type QueueLateReportRefused = {
  readonly type: 'QueueLateReportRefused';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly epoch: number;
    readonly worker: string;
    readonly server: string;
    readonly from: HeldTask;
    /** What it tried: `succeed`, `fail`, `extend` and so on. */
    readonly report: string;
    /** What the last takeover reset, if that was the last change of the consumer. */
    readonly reset?: HeldTask;
  };
};

export type ConsumerEvent = QueueTaken | QueueTakenOver | QueueAnomalyFound | QueueLateReportRefused;

export type ConsumerEventType = ConsumerEvent['type'];
