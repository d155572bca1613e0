import { context, SpanKind } from '@opentelemetry/api';
import type { AttemptOutcome, AttemptTelemetry, Task } from '@waybill/client';
import type { BegunSpan, Failure, Followed } from './followed.js';
import { messagingOf } from './messaging.js';
import { linkTo, traceparentOf } from './trace-context.js';

/**
 * One attempt. Its span links to that of the submission, and is no part of its trace, because a task may wait for days. The report of the
 * outcome is part of the attempt's trace.
 */
export class FollowedAttempt implements AttemptTelemetry {
  private begun: BegunSpan | null = null;

  constructor(
    private readonly followed: Followed,
    private readonly task: Task,
  ) {
    followed.metrics.consumed(messagingOf('process', task.queue).attributes);
  }

  get traceparent(): string | undefined {
    return traceparentOf(this.begun?.span.spanContext());
  }

  process<T extends AttemptOutcome>(work: () => Promise<T>): Promise<T> {
    const { queue, taskId, kind, attempt, traceparent } = this.task;
    const messaging = messagingOf('process', queue);
    const details = { 'messaging.message.id': taskId, 'waybill.task.kind': kind, 'waybill.task.attempt': attempt };
    const operation = { ...messaging, kind: SpanKind.CONSUMER, details, links: linkTo(traceparent) };
    this.begun = this.followed.begin(operation);
    const measure = { attributes: messaging.attributes, histogram: this.followed.metrics.processDuration };
    return this.followed.measured(this.begun, measure, work, failureIn);
  }

  settle<T>(verdict: string, work: () => Promise<T>): Promise<T> {
    const { queue, taskId } = this.task;
    const details = { 'messaging.message.id': taskId, 'waybill.verdict': verdict };
    const operation = { ...messagingOf('settle', queue), kind: SpanKind.CLIENT, details };
    return context.with(this.begun!.within, () => this.followed.operation(operation, work));
  }
}

function failureIn({ settlement }: AttemptOutcome): Failure | null {
  if (settlement?.type !== 'fail') return null;
  const { message, class: type = 'application' } = settlement.error;
  return { type, message };
}
