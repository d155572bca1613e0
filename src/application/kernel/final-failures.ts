import { Logger } from '@nestjs/common';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { traceIdOf } from '../../domain/kernel/trace-id.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { UnitPart } from './unit-of-work.js';

const logger = new Logger('Tasks');

/** What was decided on one stream, and within which trace. */
interface Decided {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
  readonly traceparent: string | undefined;
}

/**
 * Logs a task that failed for good, one line each. Messages of errors are not told: they may say what a task was about, and a log cannot forget
 * what is erased.
 */
export function logFinalFailure({ stream, events, traceparent }: Decided): void {
  const last = events[events.length - 1] as TaskEvent | undefined;
  if (last?.type !== 'TaskFailed') return;
  const { queue, error, decidedBy } = last.data;
  logger.warn({
    msg: 'A task has failed, and nothing retries it by itself',
    task: taskIdOf(stream),
    queue,
    class: error.class,
    decidedBy,
    ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }),
  });
}

/** Those of a transaction, once it is stored. */
export function logFinalFailuresIn(parts: readonly UnitPart[]): void {
  for (const { stream, appended } of parts) {
    const traceparent = appended.at(-1)?.envelope.traceparent;
    logFinalFailure({ stream, events: appended.map(({ event }) => event), traceparent });
  }
}
