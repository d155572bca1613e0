import type { ProgressBar, TaskLogLine } from '@waybill/contracts';
import type { StopReason } from './run.js';
import type { Task } from './task.js';
import { describe } from './thrown.js';

/** The events of a worker. None needs a response. */
export interface WorkerEventMap {
  /** The lease was lost. The handler was told to stop, and its outcome no longer counts. */
  lost: { readonly task: Task };
  /** A handler threw or returned an invalid verdict, which is reported as a failure unless the attempt had already ended. */
  failed: { readonly task: Task; readonly error: unknown };
  /**
   * A handler goes on although it must stop, because its task is lost or cancelled. Its slot is free again, unless as
   * many handlers are stuck as the worker has slots.
   */
  stuck: { readonly task: Task; readonly reason: StopReason; readonly slotFreed: boolean };
  /**
   * The worker knows no function or step for its task, and gave it back: another worker may. It can be claimed again after
   * `retryInMs`, which grows each time.
   */
  unserved: { readonly task: Task; readonly reason: string; readonly retryInMs: number };
  /** The service refused the outcome, even as a failure. The lease will expire. */
  refused: { readonly task: Task; readonly error: unknown };
  /** The service did not give a usable answer. The worker tries again after `retryInMs`, or not if that is null. */
  unavailable: {
    readonly doing: 'claim' | 'settle' | 'extend' | 'check' | 'measure';
    /** The resource that was not measured. */
    readonly resource?: string;
    /** The task whose outcome stays unknown. Its lease will expire unless it was settled. */
    readonly task?: Task;
    readonly error: unknown;
    readonly retryInMs: number | null;
  };
  /** From `run.progress`. */
  progress: { readonly task: Task; readonly bar: ProgressBar };
  /** From `run.log`. */
  log: { readonly task: Task; readonly line: TaskLogLine };
  stopped: StopReport;
}

/** The report of a stopped worker. */
export interface StopReport {
  /** Ids of returned tasks: claimed but not started, or stopped by their handler when told to. */
  readonly returned: readonly string[];
  /** Tasks whose handlers or reports did not finish in time. Their leases expire. */
  readonly abandoned: readonly Task[];
}

export type Listener<N extends keyof WorkerEventMap> = (notice: WorkerEventMap[N]) => void;

/** What a line of the log is about, by name: `task`, `queue`, `attempt`, `traceId` and others. */
export type LogFields = Readonly<Record<string, string | number>>;

/** As pino has it. The console gets the message alone. */
export interface Logger {
  warn(fields: LogFields, message: string): void;
}

/** The console does not know fields. */
export const loggerOf = (given: Logger | null | undefined): Logger | null =>
  given === undefined || (given as unknown) === console ? CONSOLE : given;

const CONSOLE: Logger = { warn: (_fields, message) => console.warn(message) };

/** Passes events to listeners and, if an operator should know them, to the log. */
export class WorkerEvents {
  private readonly listeners = new Map<keyof WorkerEventMap, Set<(notice: never) => void>>();

  constructor(private readonly logger: Logger | null) {}

  on<N extends keyof WorkerEventMap>(name: N, listener: Listener<N>): void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
  }

  tell<N extends keyof WorkerEventMap>(name: N, notice: WorkerEventMap[N]): void {
    const words = WORDS[name](notice);
    if (words !== null) this.logger?.warn(fieldsOf(name, notice), words);
    for (const listener of this.listeners.get(name) ?? []) callApart(() => (listener as Listener<N>)(notice));
  }
}

/** A listener that throws is a bug of the application. The error surfaces as uncaught, and the worker continues. */
function callApart(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}

const WORDS: { readonly [N in keyof WorkerEventMap]: (notice: WorkerEventMap[N]) => string | null } = {
  lost: ({ task }) =>
    `Expected to settle ${named(task)}, but its lease is lost: the outcome of this attempt is dropped`,
  failed: ({ task, error }) => `Expected ${named(task)} to succeed, but its handler threw: ${describe(error)}`,
  stuck: ({ task, reason, slotFreed }) =>
    `Expected the handler of ${named(task)} to stop (${reason}), but it goes on: its slot is ${slotFreed ? 'free for others' : 'not free, because too many others are stuck'}`,
  unserved: ({ task, reason, retryInMs }) => `${reason}. Given back for ${retryInMs} ms: ${named(task)}`,
  refused: ({ task, error }) => `Expected to settle ${named(task)}, but the service refuses: ${describe(error)}`,
  unavailable: ({ doing, task, resource, error, retryInMs }) =>
    `Expected to ${doing === 'check' ? 'ask about leases' : doing}${task ? ` ${named(task)}` : resource ? ` resource '${resource}'` : ''}, but: ${describe(error)}` +
    (retryInMs === null ? '' : `; trying again in ${retryInMs} ms`),
  progress: () => null,
  log: () => null,
  stopped: ({ abandoned }) =>
    abandoned.length === 0
      ? null
      : `Expected all handlers to end in time, but these did not: ${abandoned.map(named).join(', ')}`,
};

function fieldsOf(event: string, notice: object): LogFields {
  const { task, resource, error } = notice as { task?: Task; resource?: string; error?: unknown };
  return {
    event,
    ...(task && { task: task.taskId, queue: task.queue, kind: task.kind, attempt: task.attempt }),
    ...(task?.traceparent !== undefined && { traceId: task.traceparent.split('-')[1]! }),
    ...(resource !== undefined && { resource }),
    ...(error !== undefined && { error: describe(error) }),
  };
}

const named = ({ taskId, queue, attempt }: Task): string => `task '${taskId}' of queue '${queue}' (attempt ${attempt})`;
