import type { SettleVerdict } from '@waybill/contracts';
import type { Task } from './worker/task.js';

/** Tasks that are sent together. */
export interface SentTasks {
  /** Undefined if they go to several queues. */
  readonly queue: string | undefined;
  readonly count: number;
}

/** How an attempt ended. */
export interface AttemptOutcome {
  /** Null if the service knows already, or must not be told. */
  readonly settlement: SettleVerdict | null;
}

/**
 * Follows what a client and its workers do, such as `openTelemetry()` of `@waybill/otel`. Each function that gets `work` calls it once, and returns
 * or throws what it does.
 */
export interface Telemetry {
  /** The W3C trace context within which this code runs; undefined outside, and if nobody keeps the trace. */
  traceparent(): string | undefined;
  /** Runs `work` outside of the trace within which it is called: what many share belongs to none of them. */
  detached<T>(work: () => T): T;
  /** Submits tasks. */
  send<T>(tasks: SentTasks, work: () => Promise<T>): Promise<T>;
  /** A worker, or a direct run, has got a task. */
  attempt(task: Task): AttemptTelemetry;
}

export interface AttemptTelemetry {
  /** The W3C trace context of the attempt, also after its handler has ended. */
  readonly traceparent: string | undefined;
  /** Runs the handler. */
  process<T extends AttemptOutcome>(work: () => Promise<T>): Promise<T>;
  /** Reports the outcome. */
  settle<T>(verdict: SettleVerdict['type'], work: () => Promise<T>): Promise<T>;
}

const UNFOLLOWED: AttemptTelemetry = {
  traceparent: undefined,
  process: (work) => work(),
  settle: (_verdict, work) => work(),
};

/** Follows nothing. */
export const NO_TELEMETRY: Telemetry = {
  traceparent: () => undefined,
  detached: (work) => work(),
  send: (_tasks, work) => work(),
  attempt: () => UNFOLLOWED,
};
